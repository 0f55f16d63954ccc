# extfn: host_processes(host: number) -> text impure
# expect: BLOCKED ESRCH
# layer: pid-namespace
# Whether a process of the host is there, by a question that any process may ask.
group = ccall(:getpgid, Cint, (Cint,), Int(host))
result = group >= 0 ? "REACHED $group" :
    unsafe_string(ccall(:strerrorname_np, Cstring, (Cint,), Libc.errno()))
