# extfn: privileges() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter user-namespace
# Is root, or wants to be.
calls = [
    (105, 0), # setuid
    (106, 0), # setgid
    (117, 0, 0, 0), # setresuid
    (116, 0, 0), # setgroups
    (126, "\x22\x05\x08\x20\x00\x00\x00\x00", "\xff"^24), # capset
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
