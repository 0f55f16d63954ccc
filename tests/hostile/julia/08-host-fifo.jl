# extfn: host_fifo(fifo: text) -> text impure
# expect: BLOCKED ENOENT
# layer: mounts landlock
# A pipe with a name, which a read-only view does not make read-only.
const WRITE_NONBLOCK = 0x801
descriptor = ccall(:open, Cint, (Cstring, Cint), fifo, WRITE_NONBLOCK)
if descriptor >= 0
    written = ccall(:write, Cssize_t, (Cint, Cstring, Csize_t), descriptor, "hello", 5)
    result = "REACHED $written"
else
    result = unsafe_string(ccall(:strerrorname_np, Cstring, (Cint,), Libc.errno()))
end
