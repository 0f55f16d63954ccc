# extfn: abstract_socket(abstract: text) -> text impure
# expect: BLOCKED EAFNOSUPPORT
# layer: filter net-namespace landlock
# opens: filter net-namespace landlock
# A socket of the host without a file, which no view of files hides.
import errno
import socket

try:
    result = f"REACHED {socket.socket(socket.AF_UNIX).connect(chr(0) + abstract)}"
except OSError as failure:
    result = errno.errorcode[failure.errno]
