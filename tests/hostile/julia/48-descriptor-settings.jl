# extfn: descriptor_settings() -> text impure
# expect: BLOCKED EPERM
# layer: filter
# Signals, locks, leases and sizes by way of a descriptor.
calls = [
    (72, 1, 8, 1), # F_SETOWN
    (72, 1, 10, 9), # F_SETSIG
    (72, 1, 1031, 1048576), # F_SETPIPE_SZ
    (72, 5, 1024, 0), # F_SETLEASE
    (72, 5, 6, "\0"^4096), # F_SETLK
    (72, 6, 1033, 1), # F_ADD_SEALS
]
word(value::Integer) = Int(value)
word(text::String) = Int(pointer(text))
function attempt(number, words...)
    w = [map(word, words)...; zeros(Int, 6)]
    value = GC.@preserve words ccall(:syscall, Clong,
        (Clong, Clong, Clong, Clong, Clong, Clong, Clong),
        number, w[1], w[2], w[3], w[4], w[5], w[6])
    value == -1 || return "REACHED $value"
    unsafe_string(ccall(:strerrorname_np, Cstring, (Cint,), Libc.errno()))
end
result = join(sort(unique([attempt(call...) for call in calls])), " ")
