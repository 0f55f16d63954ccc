# extfn: shared_memory() -> text impure
# expect: BLOCKED ENOMEM
# layer: filter seal
# opens: filter seal
# Memory that no limit counts: shared with nobody.
import ctypes
import errno

CALLS = [
    (9, 0, 0x100000, 3, 33, -1, 0),  # mmap
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
