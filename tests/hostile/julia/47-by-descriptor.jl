# extfn: by_descriptor() -> text impure
# expect: BLOCKED ENOENT ENOTDIR
# layer: descriptors mounts
# From each descriptor a way to the files of the host.
function attempt(directory)
    path = "../../../etc/passwd"
    opened = ccall(:openat, Cint, (Cint, Cstring, Cint), directory, path, 0)
    opened >= 0 && return "REACHED"
    unsafe_string(ccall(:strerrorname_np, Cstring, (Cint,), Libc.errno()))
end
result = join(sort(setdiff(map(attempt, [-100; 0:1023]), ["EBADF"])), " ")
