# extfn: terminal_input() -> text impure
# expect: BLOCKED ENOTTY
# layer: filter session descriptors
# Types into the terminal of whoever runs the host.
import ctypes
import errno

CALLS = [
    (16, 0, 0x5412, b"x"),  # TIOCSTI
    (16, 0, 0x100005412, b"x"),  # TIOCSTI with a high bit
    (16, 1, 0x541c, b"x"),  # TIOCLINUX
    (16, 1, 0x540e, 1),  # TIOCSCTTY
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
