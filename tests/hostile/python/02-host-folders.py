# extfn: host_folders() -> text impure
# expect: BLOCKED ENOENT
# layer: mounts
# Lists the folders of the host.
import errno
import os


def attempt(path):
    try:
        return f"REACHED {os.listdir(path)[:3]}"
    except OSError as failure:
        return errno.errorcode[failure.errno]


FOLDERS = ("/root", "/var", "/run", "/sys", "/boot", "/opt", "/srv", "/mnt", "/media", "/dev")
result = " ".join(sorted({attempt(path) for path in FOLDERS}))
