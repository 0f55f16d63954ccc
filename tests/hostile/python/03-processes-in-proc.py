# extfn: processes_in_proc() -> text impure
# expect: BLOCKED ENOENT
# layer: mounts pid-namespace
# The environment, command line and memory of others, and of itself.
import errno


def attempt(path):
    try:
        with open(path, "rb") as file:
            return f"REACHED {file.read(60)}"
    except OSError as failure:
        return errno.errorcode[failure.errno]


FILES = ("1/environ", "1/cmdline", "1/maps", "1/mem", "self/mem", "self/maps", "mounts", "net/tcp")
result = " ".join(sorted({attempt("/proc/" + file) for file in FILES}))
