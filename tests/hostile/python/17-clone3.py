# extfn: clone3() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter seal
# Flags that no filter can read, since they lie in memory.
import ctypes
import errno

CALLS = [
    (435, bytes(3) + b"\x10" + bytes(84), 88),  # clone3, CLONE_NEWUSER
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
