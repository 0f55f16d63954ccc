# extfn: tcp(port: number) -> text impure
# expect: BLOCKED refused
# layer: filter net-namespace landlock
# The host itself, the cloud's metadata, and a port of its own.
using Sockets
function attempt(action)
    try
        action()
        "REACHED"
    catch failure
        failure isa Base.IOError ? "refused" : rethrow()
    end
end
result = join(unique([attempt(() -> connect(ip"127.0.0.1", Int(port))),
    attempt(() -> connect(ip"169.254.169.254", 80)), attempt(() -> connect(ip"::1", Int(port))),
    attempt(() -> listen(ip"127.0.0.1", 0))]), " ")
