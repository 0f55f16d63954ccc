# extfn: by_descriptor() -> text impure
# expect: BLOCKED ENOENT ENOTDIR
# layer: descriptors mounts
# From each descriptor a way to the files of the host; /proc and /dev, where they have names.
import errno
import os


def attempt(path, directory):
    try:
        os.close(os.open(path, os.O_RDONLY, dir_fd=directory))
        return f"REACHED {path}"
    except OSError as failure:
        return errno.errorcode[failure.errno]


outcomes = {attempt("../../../etc/passwd", descriptor) for descriptor in range(9)}
outcomes |= {attempt("/proc/self/fd/0", None), attempt("/dev/fd/0", None)}
result = " ".join(sorted(outcomes - {"EBADF"}))
