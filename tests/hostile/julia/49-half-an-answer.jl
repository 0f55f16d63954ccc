# extfn: half_an_answer() -> text impure
# expect: TIMEOUT
# layer: clock decoder
# The host waits for the rest.
ccall(:write, Cssize_t, (Cint, Cstring, Csize_t), 4, "exfn", 4)
while true
end
