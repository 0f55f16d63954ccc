# extfn: flood_of_errors() -> text impure
# expect: OUTPUT
# layer: output-limit
# The same on the other stream, without an end.
import os

while True:
    os.write(2, b"x" * 65536)
