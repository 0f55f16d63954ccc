# extfn: null_pointer() -> text impure
# expect: KILLED SIGSEGV
# layer: supervisor
# Reads where nothing is.
import ctypes

result = str(ctypes.string_at(0))
