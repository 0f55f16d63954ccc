# extfn: old_calls() -> text impure
# expect: KILLED SIGSYS
# layer: filter seal
# The system calls of 32-bit programs, whose numbers mean something else: 20 is getpid there.
import ctypes
import mmap

code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
address = ctypes.addressof(ctypes.c_char.from_buffer(code))
result = f"REACHED {ctypes.CFUNCTYPE(ctypes.c_int)(address)()}"
