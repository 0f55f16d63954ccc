# extfn: threads() -> text impure
# expect: BLOCKED EAGAIN
# layer: rlimits
# As many threads as it can get, each asleep.
function start()
    thread = Ref{UInt}(0)
    ccall(:pthread_create, Cint, (Ref{UInt}, Ptr{Cvoid}, Ptr{Cvoid}, UInt), thread, C_NULL,
        cglobal(:sleep), 5)
end
failures = unique([start() for _ in 1:60])
names = [unsafe_string(ccall(:strerrorname_np, Cstring, (Cint,), e)) for e in failures if e != 0]
result = isempty(names) ? "REACHED 60" : join(names, " ")
