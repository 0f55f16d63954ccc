# extfn: broken_interpreter() -> text impure
# expect: CONTAINED
# layer: supervisor decoder
# Overwrites the interpreter itself, as a hole in it would allow.
import ctypes

for kind in (str, dict, float, type):
    ctypes.memset(id(kind) + 24, 0x41, 64)
result = "done"
