# extfn: terminal_input() -> text impure
# expect: BLOCKED ENOTTY
# layer: filter session descriptors
# Types into the terminal of whoever runs the host.
calls = [
    (16, 0, 21522, "x"), # TIOCSTI
    (16, 0, 4294988818, "x"), # TIOCSTI with a high bit
    (16, 1, 21532, "x"), # TIOCLINUX
    (16, 1, 21518, 1), # TIOCSCTTY
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
