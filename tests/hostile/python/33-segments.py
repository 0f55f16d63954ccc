# extfn: segments() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter seal ipc-namespace
# opens: filter seal ipc-namespace
# reached: only the host can tell
# Memory that outlives its process, seen by whoever knows its number.
import ctypes
import errno

CALLS = [
    (29, 0x686f7374, 0x1000, 896),  # shmget
    (68, 0x686f7374, 896),  # msgget
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
