# extfn: broken_guest() -> text impure
# expect: CONTAINED
# layer: supervisor decoder
# Code of its own, in place of the C library's.
import ctypes

libc = ctypes.CDLL(None)
write = ctypes.cast(libc.write, ctypes.c_void_p).value
libc.mprotect(ctypes.c_void_p(write & ~4095), 8192, 7)
ctypes.memmove(write, b"\x31\xc0\xc3", 3)
result = "done"
