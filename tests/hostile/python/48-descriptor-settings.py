# extfn: descriptor_settings() -> text impure
# expect: BLOCKED EPERM
# layer: filter
# Signals, locks, leases and sizes by way of a descriptor.
import ctypes
import errno

CALLS = [
    (72, 1, 8, 1),  # F_SETOWN
    (72, 1, 10, 9),  # F_SETSIG
    (72, 1, 0x407, 0x100000),  # F_SETPIPE_SZ
    (72, 5, 0x400, 0),  # F_SETLEASE
    (72, 5, 6, bytes(4096)),  # F_SETLK
    (72, 6, 0x409, 1),  # F_ADD_SEALS
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
