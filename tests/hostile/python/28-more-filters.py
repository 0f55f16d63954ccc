# extfn: more_filters() -> text impure
# expect: BLOCKED EPERM
# layer: filter seal
# A filter that answers in the place of those in force.
import ctypes
import errno

CALLS = [
    (317, 1, 0, bytes(4096)),  # SECCOMP_SET_MODE_FILTER
    (317, 1, 8, bytes(4096)),  # with a listener
    (317, 0, 0, 0),  # SECCOMP_SET_MODE_STRICT
    (157, 22, 2, bytes(4096)),  # by prctl
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
