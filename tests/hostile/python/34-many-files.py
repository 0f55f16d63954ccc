# extfn: many_files() -> text impure
# expect: BLOCKED ENOSPC
# layer: tmpfs-files
# opens: tmpfs-files
# Files without a byte in them, which take memory of the kernel all the same.
import errno
import os

try:
    for number in range(6000):
        os.close(os.open(f"/tmp/hostile-{number}", os.O_CREAT | os.O_WRONLY))
    result = "REACHED 6000"
except OSError as failure:
    result = errno.errorcode[failure.errno]
