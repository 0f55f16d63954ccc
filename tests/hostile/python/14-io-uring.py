# extfn: io_uring() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter rlimits
# opens: filter rlimits
# System calls that a ring makes pass no filter.
import ctypes
import errno

CALLS = [
    (425, 1, bytes(4096)),  # io_uring_setup
    (426, -1, 1, 0, 0),  # io_uring_enter
    (427, -1, 0, 0, 0),  # io_uring_register
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
