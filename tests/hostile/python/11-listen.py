# extfn: listen() -> text impure
# expect: BLOCKED EPERM
# layer: filter net-namespace
# opens: filter
# A port of its own, for whoever may reach it.
import errno
import socket


def attempt(function, *arguments):
    try:
        function(*arguments)
        return "REACHED"
    except OSError as failure:
        return errno.errorcode[failure.errno]


server = socket.socket(socket.AF_INET)
outcomes = {attempt(server.bind, ("127.0.0.1", 0)), attempt(server.listen, 1),
            attempt(server.setsockopt, socket.SOL_SOCKET, socket.SO_REUSEADDR, 1),
            attempt(socket.socketpair)}
result = " ".join(sorted(outcomes))
