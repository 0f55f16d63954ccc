# extfn: scheduling() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter
# More of the processor than others.
import ctypes
import errno

CALLS = [
    (203, 0, 8, b"\xff" * 8),  # sched_setaffinity
    (144, 0, 1, bytes.fromhex("01000000")),  # sched_setscheduler
    (141, 0, 0, -20),  # setpriority
    (251, 1, 0, 0x2000),  # ioprio_set
    (314, 0, bytes(4096), 0),  # sched_setattr
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
