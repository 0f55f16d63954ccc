# extfn: device_nodes() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter
# A pipe and a device with names, for whoever opens them.
calls = [
    (133, "/tmp/hostile-pipe", 4534, 0), # mknod, a pipe
    (133, "/tmp/hostile-mem", 8630, 257), # mknod, /dev/mem
    (259, -100, "/tmp/hostile-other", 8630, 257), # mknodat
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
