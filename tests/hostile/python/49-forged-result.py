# extfn: forged_result() -> text impure
# expect: ERROR worker broke the protocol
# layer: decoder
# A result that lies outside of the map, then the answer that all is done.
import mmap
import os
import struct

reply = mmap.mmap(6, 64 << 20)
reply[4160:4168] = struct.pack("<II", 0xfffffff0, 0x7fffffff)
reply[4096] = 1
os.write(4, struct.pack("<IHHIIII", 0x6e667865, 1, 18, 2, 0, 1, 0))
while True:
    pass
