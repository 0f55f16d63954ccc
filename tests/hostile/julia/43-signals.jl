# extfn: signals() -> text impure
# expect: BLOCKED EPERM
# layer: seal
# A signal to everybody, to the group, to the first process.
calls = [
    (62, -1, 0), # kill -1
    (62, 0, 0), # kill 0
    (62, 1, 0), # kill 1
    (200, 1, 0), # tkill
    (234, 1, 1, 0), # tgkill
    (129, 1, 0, "\0"^4096), # rt_sigqueueinfo
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
