# extfn: file_of_root(locked: text) -> text impure
# expect: BLOCKED ENOENT
# layer: mounts landlock uid-drop
# opens: uid-drop mounts landlock
# A file that root alone may read, on a host that runs as root.
import errno

try:
    with open(locked, "rb") as file:
        result = f"REACHED {file.read(60)}"
except OSError as failure:
    result = errno.errorcode[failure.errno]
