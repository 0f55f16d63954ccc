# extfn: host_files(secret: text) -> text impure
# expect: BLOCKED ENOENT
# layer: mounts landlock
# Reads what every user of the host may read, and what root may.
function attempt(path)
    try
        "REACHED " * read(path, String)
    catch failure
        failure isa SystemError || rethrow()
        unsafe_string(ccall(:strerrorname_np, Cstring, (Cint,), failure.errnum))
    end
end
result = join(unique(map(attempt, [secret, "/etc/passwd", "/etc/shadow"])), " ")
