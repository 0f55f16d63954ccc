# extfn: broken_interpreter() -> text impure
# expect: CONTAINED
# layer: supervisor decoder
# Overwrites the interpreter's own types, as a hole in it would allow.
for type in (String, Int, Float64, Vector{Any})
    unsafe_store!(Ptr{UInt}(pointer_from_objref(type)), 0x4141414141414141, 2)
end
result = string([1, 2.0, "x"])
