# extfn: other_sockets() -> text impure
# expect: BLOCKED EAFNOSUPPORT
# layer: filter
# Families of sockets with much of the kernel behind them.
calls = [
    (41, 16, 3, 0), # netlink
    (41, 17, 3, 0), # packet
    (41, 38, 5, 0), # alg
    (41, 44, 3, 0), # xdp
    (41, 2, 3, 1), # raw ICMP
    (41, 31, 3, 0), # bluetooth
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
