# extfn: marker() -> text impure
# expect: BLOCKED plain
# layer: driver
# Prints what an answer looks like: where the body prints, nothing is read but text.
import os
import struct

for descriptor in (1, 2):
    os.write(descriptor, struct.pack("<IHHIIII", 0x6e667865, 1, 18, 2, 0, 1, 0) * 10)
result = "plain"
