# extfn: high_bits(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter
# steps: 2
# A forbidden call with bits set that the kernel does not look at.
import ctypes
import errno

CALLS = [
    (0x100000065, 16, 1, 0, 0),  # ptrace
    (0x1000000a5, b"none", b"/tmp", b"tmpfs", 0, 0),  # mount
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = attempt(*CALLS[int(step)])
