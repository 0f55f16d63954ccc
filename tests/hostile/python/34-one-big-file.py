# extfn: one_big_file() -> text impure
# expect: BLOCKED EFBIG ENOSPC
# layer: tmpfs-size rlimits
# /tmp is memory too: a file that is larger, and one with a hole of a tebibyte.
import errno


def attempt(place, count):
    try:
        with open("/tmp/hostile", "wb", buffering=0) as file:
            file.seek(place)
            for _ in range(count):
                file.write(bytes(1 << 20))
            return f"REACHED {file.tell()}"
    except OSError as failure:
        return errno.errorcode[failure.errno]


with open("/tmp/hostile-other", "wb") as other:
    other.write(bytes(1 << 20))
result = " ".join(sorted({attempt(0, 80), attempt(1 << 40, 1)}))
