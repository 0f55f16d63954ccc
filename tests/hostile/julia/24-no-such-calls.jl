# extfn: no_such_calls() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter
# Numbers that are none, and those of a second binary interface.
calls = [
    (-1,), # -1
    (400,), # in the gap
    (1000,), # beyond the last
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
