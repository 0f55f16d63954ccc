# extfn: sessions() -> text impure
# expect: BLOCKED EPERM
# layer: seal session
# A group and a session of its own, which a signal to the group would miss.
import ctypes
import errno

CALLS = [
    (112,),  # setsid
    (109, 0, 0),  # setpgid
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
