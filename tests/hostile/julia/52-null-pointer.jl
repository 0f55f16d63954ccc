# extfn: null_pointer() -> text impure
# expect: CONTAINED
# layer: supervisor
# Reads where nothing is.
result = string(unsafe_load(Ptr{Int}(8)))
