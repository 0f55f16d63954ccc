# extfn: keyrings(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter
# opens: filter
# steps: 3
# Keys outlive the sandbox: a channel to whoever gets the uid next.
import ctypes
import errno

CALLS = [
    (248, b"user", b"hostile", b"\x61" * 1, 1, -4),  # add_key
    (250, 0, -4, 1),  # keyctl
    (249, b"user", b"hostile", 0, 0),  # request_key
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = attempt(*CALLS[int(step)])
