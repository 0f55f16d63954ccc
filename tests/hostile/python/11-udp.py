# extfn: udp(port: number) -> text impure
# expect: BLOCKED ENETUNREACH
# layer: filter net-namespace
# opens: filter net-namespace
# reached: only the host can tell
# One datagram to the host is enough to tell it everything.
import errno
import socket

try:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        result = f"REACHED {sender.sendto(b'hello', ('127.0.0.1', int(port)))}"
except OSError as failure:
    result = errno.errorcode[failure.errno]
