# extfn: udp(port: number) -> text impure
# expect: BLOCKED refused
# layer: filter net-namespace
# One datagram to the host is enough to tell it everything.
using Sockets
result = try
    send(UDPSocket(), ip"127.0.0.1", Int(port), "hello")
    "REACHED"
catch failure
    failure isa Base.IOError || failure isa ErrorException ? "refused" : rethrow()
end
