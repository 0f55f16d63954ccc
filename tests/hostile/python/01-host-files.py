# extfn: host_files(secret: text) -> text impure
# expect: BLOCKED ENOENT
# layer: mounts landlock
# opens: mounts landlock
# Reads what every user of the host may read, and what root may.
import errno


def attempt(path):
    try:
        with open(path, "rb") as file:
            return f"REACHED {file.read(60)}"
    except OSError as failure:
        return errno.errorcode[failure.errno]


result = " ".join(sorted({attempt(path) for path in (secret, "/etc/passwd", "/etc/shadow")}))
