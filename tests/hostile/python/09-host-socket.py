# extfn: host_socket(socket_path: text) -> text impure
# expect: BLOCKED EAFNOSUPPORT
# layer: filter mounts
# opens: filter mounts
# A socket that every user may connect to, as those of daemons are.
import errno
import socket

try:
    result = f"REACHED {socket.socket(socket.AF_UNIX).connect(socket_path)}"
except OSError as failure:
    result = errno.errorcode[failure.errno]
