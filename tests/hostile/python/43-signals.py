# extfn: signals() -> text impure
# expect: BLOCKED EPERM
# layer: seal
# A signal to everybody, to the group, to the first process.
import ctypes
import errno

CALLS = [
    (62, -1, 0),  # kill -1
    (62, 0, 0),  # kill 0
    (62, 1, 0),  # kill 1
    (200, 1, 0),  # tkill
    (234, 1, 1, 0),  # tgkill
    (129, 1, 0, bytes(4096)),  # rt_sigqueueinfo
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
