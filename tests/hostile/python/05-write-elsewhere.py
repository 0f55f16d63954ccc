# extfn: write_elsewhere() -> text impure
# expect: BLOCKED EACCES EROFS
# layer: read-only-root landlock
# opens: read-only-root landlock
# Writes wherever it may read: the root, the interpreter, its libraries, the driver.
import errno
import json
import os


def attempt(path):
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
        return f"REACHED {path}"
    except OSError as failure:
        return errno.errorcode[failure.errno]


FOLDERS = ("/", "/usr", "/home", "/b", "/usr/lib", os.path.dirname(json.__file__))
outcomes = {attempt(os.path.join(folder, "hostile")) for folder in FOLDERS}
result = " ".join(sorted(outcomes | {attempt(json.__file__), attempt("/b/driver.py")}))
