# extfn: scheduling() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter
# More of the processor than others.
calls = [
    (203, 0, 8, "\xff"^8), # sched_setaffinity
    (144, 0, 1, "\x01\x00\x00\x00"), # sched_setscheduler
    (141, 0, 0, -20), # setpriority
    (251, 1, 0, 8192), # ioprio_set
    (314, 0, "\0"^4096, 0), # sched_setattr
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
