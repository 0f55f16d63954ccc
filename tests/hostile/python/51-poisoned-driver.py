# extfn: poisoned_driver() -> text impure
# expect: CONTAINED
# layer: decoder driver
# Replaces the functions that its driver works with.
import builtins
import os
import struct
import sys

os.write = os.read = lambda *_: 24
struct.Struct.pack = None if hasattr(struct.Struct, "x") else struct.Struct.pack
builtins.len = builtins.isinstance = lambda *_: 1 << 60
frame = sys._getframe()
while frame:
    frame.f_globals.clear()
    frame = frame.f_back
