# extfn: raise_limits() -> text impure
# expect: BLOCKED EPERM
# layer: filter rlimits
# Higher limits than it was given, its own and those of others.
calls = [
    (160, 7, "\x00\x10\x00\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00"), # setrlimit
    (302, 0, 2, "\xff"^16, 0), # prlimit64, memory
    (302, 1, 7, "\x00\x10\x00\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00", 0), # of others
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
