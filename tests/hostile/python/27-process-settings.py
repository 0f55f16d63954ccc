# extfn: process_settings() -> text impure
# expect: BLOCKED EPERM
# layer: filter seal
# opens: seal
# Outlives its parent, may be traced, adopts orphans.
import ctypes
import errno

CALLS = [
    (157, 1, 0),  # PR_SET_PDEATHSIG
    (157, 4, 1),  # PR_SET_DUMPABLE
    (157, 0x59616d61, -1),  # PR_SET_PTRACER
    (157, 36, 1),  # PR_SET_CHILD_SUBREAPER
    (157, 8, 1),  # PR_SET_KEEPCAPS
    (135, 0x40000),  # personality
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
