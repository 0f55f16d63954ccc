# extfn: empty_writes() -> text impure
# expect: TIMEOUT
# layer: clock
# Calls that write nothing, for ever.
while true
    ccall(:write, Cssize_t, (Cint, Cstring, Csize_t), 1, "", 0)
end
