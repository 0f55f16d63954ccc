# extfn: rule_sets() -> text impure
# expect: BLOCKED EPERM
# layer: seal
# Each set of rules keeps memory of the kernel.
calls = [
    (444, "\xff\x1f\x00\x00\x00\x00\x00\x00", 8, 0), # landlock_create_ruleset
    (446, -1, 0), # landlock_restrict_self
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
