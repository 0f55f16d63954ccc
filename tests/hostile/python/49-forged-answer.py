# extfn: forged_answer() -> text impure
# expect: ERROR worker broke the protocol
# layer: decoder
# An answer to another call.
import os
import struct

os.write(4, struct.pack("<IHHIIII", 0x6e667865, 1, 18, 99, 0, 1, 0))
while True:
    pass
