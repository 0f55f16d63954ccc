# extfn: keyrings(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter
# steps: 2
# Keys outlive the sandbox: a channel to whoever gets the uid next.
calls = [
    (248, "user", "hostile", "\x61", 1, -4), # add_key
    (250, 0, -4, 1), # keyctl
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
result = attempt(calls[Int(step)+1]...)
