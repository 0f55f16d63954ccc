# extfn: page_tables() -> text impure
# expect: BLOCKED ENOMEM
# layer: rlimits
# opens: rlimits
# Tables of pages are memory too: a map that is never written.
import ctypes
import errno

CALLS = [
    (9, 0, 0x400000000000, 1, 0x4022, -1, 0),  # mmap
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
