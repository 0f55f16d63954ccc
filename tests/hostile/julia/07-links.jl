# extfn: links(secret: text) -> text impure
# expect: BLOCKED nothing
# layer: mounts
# Links from /tmp to what is outside of it, symbolic and hard ones.
symlink(secret, "/tmp/hostile-1")
symlink("/etc/passwd", "/tmp/hostile-2")
ccall(:link, Cint, (Cstring, Cstring), Sys.BINDIR * "/julia", "/tmp/hostile-3")
found = filter(ispath, ["/tmp/hostile-1", "/tmp/hostile-2", "/tmp/hostile-3"])
result = isempty(found) ? "nothing" : "REACHED $found"
