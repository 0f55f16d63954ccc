# extfn: raise_limits() -> text impure
# expect: BLOCKED EPERM
# layer: filter rlimits
# opens: rlimits
# Higher limits than it was given, its own and those of others.
import ctypes
import errno

CALLS = [
    (160, 7, bytes.fromhex("00100000000000000010000000000000")),  # setrlimit
    (302, 0, 2, b"\xff" * 16, 0),  # prlimit64, memory
    (302, 1, 7, bytes.fromhex("00100000000000000010000000000000"), 0),  # of others
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
