# extfn: locks() -> text impure
# expect: BLOCKED ENOSYS EPERM
# layer: filter
# opens: filter
# A lock on a file that all sandboxes see, for a twin to look at.
import errno
import fcntl
import json


def attempt(function, *arguments):
    try:
        function(*arguments)
        return "REACHED"
    except OSError as failure:
        return errno.errorcode[failure.errno]


with open(json.__file__, "rb") as file:
    outcomes = {attempt(fcntl.flock, file, fcntl.LOCK_SH | fcntl.LOCK_NB),
                attempt(fcntl.lockf, file, fcntl.LOCK_SH | fcntl.LOCK_NB)}
result = " ".join(sorted(outcomes))
