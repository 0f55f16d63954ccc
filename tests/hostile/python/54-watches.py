# extfn: watches() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter
# opens: filter
# Watches what other sandboxes do with the same files.
import ctypes
import errno

CALLS = [
    (294, 0),  # inotify_init1
    (253,),  # inotify_init
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
