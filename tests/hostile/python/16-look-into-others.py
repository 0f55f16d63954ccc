# extfn: look_into_others(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter seal pid-namespace
# steps: 6
# Reads and holds the memory and descriptors of another process.
import ctypes
import errno

CALLS = [
    (310, 1, bytes(4096), 1, bytes(4096), 1, 0),  # process_vm_readv
    (311, 1, bytes(4096), 1, bytes(4096), 1, 0),  # process_vm_writev
    (434, 1, 0),  # pidfd_open
    (438, 3, 0, 0),  # pidfd_getfd
    (312, 1, 1, 0, 0, 0),  # kcmp
    (440, 3, bytes(4096), 1, 0, 0),  # process_madvise
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = attempt(*CALLS[int(step)])
