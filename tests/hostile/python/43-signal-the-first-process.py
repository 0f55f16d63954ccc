# extfn: signal_the_first_process() -> text impure
# expect: BLOCKED EPERM
# layer: seal landlock
# opens: seal landlock
# A signal to the first process of the sandbox; none, to see whether it may.
import ctypes
import errno

CALLS = [
    (62, 1, 0),  # kill
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
