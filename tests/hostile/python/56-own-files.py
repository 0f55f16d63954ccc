# extfn: own_files() -> text impure
# expect: BLOCKED EROFS
# layer: read-only-root mounts
# Removes and moves the interpreter and the driver.
import errno
import os
import sys


def attempt(function, *paths):
    try:
        function(*paths)
        return "REACHED"
    except OSError as failure:
        return errno.errorcode[failure.errno]


FILES = (sys.executable, "/b/extfn-enter", "/b/driver.py")
outcomes = {attempt(os.rename, "/b/extfn-guest.so", "/b/hostile"), attempt(os.mkdir, "/hostile"),
            attempt(os.chmod, sys.executable, 0o777), attempt(os.utime, sys.executable)}
result = " ".join(sorted(outcomes | {attempt(os.unlink, path) for path in FILES}))
