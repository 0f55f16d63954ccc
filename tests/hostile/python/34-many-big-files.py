# extfn: many_big_files() -> text impure
# expect: BLOCKED ENOSPC
# layer: tmpfs-size
# opens: tmpfs-size
# Files that are small enough each, and more than /tmp holds together.
import errno

try:
    for number in range(12):
        with open(f"/tmp/hostile-{number}", "wb") as file:
            file.write(bytes(8 << 20))
    result = "REACHED 96 MiB"
except OSError as failure:
    result = errno.errorcode[failure.errno]
