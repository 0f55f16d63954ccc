# extfn: no_such_calls() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter
# Numbers that are none, and those of a second binary interface.
import ctypes
import errno

CALLS = [
    (-1,),  # -1
    (400,),  # in the gap
    (1000,),  # beyond the last
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
