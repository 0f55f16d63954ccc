# extfn: clone3() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter seal
# Flags that no filter can read, since they lie in memory.
calls = [
    (435, "\0\0\0\x10" * "\0"^84, 88), # CLONE_NEWUSER
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
