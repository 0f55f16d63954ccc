# extfn: vsock() -> text impure
# expect: BLOCKED EAFNOSUPPORT
# layer: filter
# opens: filter
# A socket to the hypervisor, which no network namespace holds.
import ctypes
import errno

CALLS = [
    (41, 40, 1, 0),  # stream
    (41, 40, 2, 0),  # datagram
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
