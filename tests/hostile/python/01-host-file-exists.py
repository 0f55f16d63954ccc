# extfn: host_file_exists(secret: text) -> text impure
# expect: BLOCKED ENOENT
# layer: mounts
# opens: mounts
# Whether a file is there is worth knowing too, and Landlock does not hide it.
import errno
import os


def attempt(path):
    try:
        return f"REACHED {os.stat(path).st_size}"
    except OSError as failure:
        return errno.errorcode[failure.errno]


result = " ".join(sorted({attempt(path) for path in (secret, "/etc/passwd")}))
