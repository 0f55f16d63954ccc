# extfn: privileges() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter user-namespace
# Is root, or wants to be.
import ctypes
import errno

CALLS = [
    (105, 0),  # setuid
    (106, 0),  # setgid
    (117, 0, 0, 0),  # setresuid
    (116, 0, 0),  # setgroups
    (126, bytes.fromhex("2205082000000000"), b"\xff" * 24),  # capset
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
