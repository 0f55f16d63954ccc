# extfn: processes() -> text impure
# expect: BLOCKED EPERM
# layer: seal rlimits
# Other processes, in all ways that there are.
calls = [
    (57,), # fork
    (56, 17, 0, 0, 0, 0), # clone
    (59, "/b/extfn-enter", 0, 0), # execve
    (322, -100, "/b/extfn-enter", 0, 0, 0), # execveat
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
