# extfn: more_filters() -> text impure
# expect: BLOCKED EPERM
# layer: filter seal
# A filter that answers in the place of those in force.
calls = [
    (317, 1, 0, "\0"^4096), # SECCOMP_SET_MODE_FILTER
    (317, 1, 8, "\0"^4096), # with a listener
    (317, 0, 0, 0), # SECCOMP_SET_MODE_STRICT
    (157, 22, 2, "\0"^4096), # by prctl
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
