# extfn: fork() -> text impure
# expect: BLOCKED EPERM
# layer: seal rlimits
# opens: seal
# A second process; it would end at once.
import errno
import os

try:
    child = os.fork()
    if child == 0:
        os._exit(0)
    result = f"REACHED {os.waitpid(child, 0)[1]}"
except OSError as failure:
    result = errno.errorcode[failure.errno]
