# extfn: risky_calls(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter
# steps: 2
# Parts of the kernel with many holes in their past.
calls = [
    (321, 0, "\0"^4096, 64), # bpf
    (298, "\0"^4096, 0, -1, -1, 0), # perf_event_open
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
