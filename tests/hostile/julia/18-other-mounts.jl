# extfn: other_mounts(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter user-namespace
# steps: 2
# Another view of files.
calls = [
    (165, "none", "/tmp", "tmpfs", 0, 0), # mount
    (165, "none", "/", "none", 4128, 0), # mount, / writable again
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
