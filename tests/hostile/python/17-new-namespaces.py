# extfn: new_namespaces(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter user-namespace
# steps: 3
# A user namespace of its own, with all privileges in it.
import ctypes
import errno

CALLS = [
    (272, 0x10000000),  # unshare
    (272, 0x20000),  # unshare of mounts
    (56, 0x10000011, 0, 0, 0, 0),  # clone
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = attempt(*CALLS[int(step)])
