# extfn: descriptors() -> text impure
# expect: BLOCKED EMFILE
# layer: rlimits
# As many descriptors as it can get; afterwards there is none left to answer with.
made = [ccall(:dup, Cint, (Cint,), 0) for _ in 1:1000]
result = all(made .>= 0) ? "REACHED 1000" :
    unsafe_string(ccall(:strerrorname_np, Cstring, (Cint,), Libc.errno()))
