# extfn: pipes() -> text impure
# expect: BLOCKED EMFILE
# layer: rlimits
# opens: rlimits
# Memory in pipes that nobody reads from.
import errno
import os

try:
    for _ in range(200):
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        os.write(writer, bytes(65536))
    result = "REACHED 200"
except OSError as failure:
    result = errno.errorcode[failure.errno]
