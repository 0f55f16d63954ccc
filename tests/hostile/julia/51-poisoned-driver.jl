# extfn: poisoned_driver() -> text impure
# expect: CONTAINED
# layer: decoder driver
# Replaces the functions that its driver works with.
@eval Base begin
    isvalid(::String) = true
    unsafe_store!(::Ptr, x, ::Integer) = nothing
    showerror(io::IO, ex) = ccall(:abort, Cvoid, ())
end
@eval Main result = 0
error("now")
