# extfn: semaphores() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter ipc-namespace
# opens: filter ipc-namespace
# reached: only the host can tell
# Semaphores and queues, seen by whoever knows their number or name.
import ctypes
import errno

CALLS = [
    (64, 0x686f7374, 1, 896),  # semget
    (240, b"hostile", 66, 384, 0),  # mq_open
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
