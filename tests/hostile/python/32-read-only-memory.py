# extfn: read_only_memory() -> text impure
# expect: MEMORY
# layer: supervisor rlimits
# Memory that is filled and then made read-only, which the limit of a process does not count.
import ctypes

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
FAILED = ctypes.c_void_p(-1).value
SIZE = 1 << 20
while True:
    part = libc.mmap(None, ctypes.c_size_t(SIZE), 3, 0x22, -1, ctypes.c_long(0))
    if part != FAILED:
        ctypes.memset(part, 1, SIZE)
        libc.mprotect(ctypes.c_void_p(part), ctypes.c_size_t(SIZE), 1)
