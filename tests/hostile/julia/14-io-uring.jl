# extfn: io_uring() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter rlimits
# System calls that a ring makes pass no filter.
calls = [
    (425, 1, "\0"^4096), # io_uring_setup
    (426, -1, 1, 0, 0), # io_uring_enter
    (427, -1, 0, 0, 0), # io_uring_register
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
