# extfn: flood_of_answers() -> text impure
# expect: ERROR worker broke the protocol
# layer: decoder
# Writes without end where the answers of its driver go.
import os

while True:
    os.write(4, b"x" * 65536)
