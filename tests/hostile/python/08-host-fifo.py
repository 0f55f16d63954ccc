# extfn: host_fifo(fifo: text) -> text impure
# expect: BLOCKED ENOENT
# layer: mounts landlock
# opens: mounts landlock
# A pipe with a name, which a read-only view does not make read-only.
import errno
import os

try:
    result = f"REACHED {os.write(os.open(fifo, os.O_WRONLY | os.O_NONBLOCK), b'hello')}"
except OSError as failure:
    result = errno.errorcode[failure.errno]
