# extfn: high_bits(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter
# steps: 2
# A forbidden call with bits set that the kernel does not look at.
calls = [
    (4294967397, 16, 1, 0, 0), # ptrace
    (4294967461, "none", "/tmp", "tmpfs", 0, 0), # mount
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
