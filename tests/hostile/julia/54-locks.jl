# extfn: locks() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter
# A lock on a file that all sandboxes see, for a twin to look at.
descriptor = ccall(:open, Cint, (Cstring, Cint), joinpath(Sys.BINDIR, "julia"), 0)
result = ccall(:flock, Cint, (Cint, Cint), descriptor, 5) == 0 ? "REACHED" :
    unsafe_string(ccall(:strerrorname_np, Cstring, (Cint,), Libc.errno()))
