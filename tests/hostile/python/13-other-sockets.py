# extfn: other_sockets() -> text impure
# expect: BLOCKED EAFNOSUPPORT
# layer: filter
# opens: filter
# Families of sockets with much of the kernel behind them.
import ctypes
import errno

CALLS = [
    (41, 16, 3, 0),  # netlink
    (41, 17, 3, 0),  # packet
    (41, 38, 5, 0),  # alg
    (41, 44, 3, 0),  # xdp
    (41, 2, 3, 1),  # raw ICMP
    (41, 31, 3, 0),  # bluetooth
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
