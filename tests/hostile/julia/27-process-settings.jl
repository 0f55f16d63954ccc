# extfn: process_settings() -> text impure
# expect: BLOCKED EPERM
# layer: filter seal
# Outlives its parent, may be traced, adopts orphans.
calls = [
    (157, 1, 0), # PR_SET_PDEATHSIG
    (157, 4, 1), # PR_SET_DUMPABLE
    (157, 1499557217, -1), # PR_SET_PTRACER
    (157, 36, 1), # PR_SET_CHILD_SUBREAPER
    (157, 8, 1), # PR_SET_KEEPCAPS
    (135, 262144), # personality
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
