# extfn: tcp(port: number) -> text impure
# expect: BLOCKED ENETUNREACH
# layer: filter net-namespace landlock
# opens: filter net-namespace landlock
# The host itself, the cloud's metadata, a name server.
import errno
import socket


def attempt(family, address):
    try:
        with socket.socket(family) as connection:
            connection.settimeout(0.2)
            connection.connect(address)
            return f"REACHED {address}"
    except socket.timeout:
        return "ETIMEDOUT"
    except OSError as failure:
        return errno.errorcode[failure.errno]


outcomes = {attempt(socket.AF_INET, ("127.0.0.1", int(port))),
            attempt(socket.AF_INET6, ("::1", int(port))),
            attempt(socket.AF_INET, ("169.254.169.254", 80)),
            attempt(socket.AF_INET, ("8.8.8.8", 53))}
result = " ".join(sorted(outcomes))
