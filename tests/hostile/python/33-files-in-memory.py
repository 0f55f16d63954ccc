# extfn: files_in_memory() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter seal
# opens: filter seal
# Memory that no limit counts: files without a name.
import ctypes
import errno

CALLS = [
    (319, b"hostile", 0),  # memfd_create
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
