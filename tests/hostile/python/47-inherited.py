# extfn: inherited() -> text impure
# expect: BLOCKED nothing
# layer: descriptors
# Descriptors of the host: beyond the worker's seven there are only copies of them.
import os
import stat


def identity(descriptor):
    try:
        seen = os.fstat(descriptor)
        return seen.st_dev, seen.st_ino, stat.S_IFMT(seen.st_mode)
    except OSError:
        return None


own = {identity(descriptor) for descriptor in range(7)} | {None}
others = [descriptor for descriptor in range(7, 1024) if identity(descriptor) not in own]
folders = [descriptor for descriptor in range(1024)
           if identity(descriptor) and stat.S_ISDIR(identity(descriptor)[2])]
result = f"REACHED {others} {folders}" if others or folders else "nothing"
