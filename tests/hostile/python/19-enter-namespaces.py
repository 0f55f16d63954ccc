# extfn: enter_namespaces(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter user-namespace
# steps: 2
# The namespaces of others, by whatever descriptor is there.
import ctypes
import errno

CALLS = [
    (308, 3, 0),  # setns
    (308, 0, 0x10000000),  # setns, of users
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = attempt(*CALLS[int(step)])
