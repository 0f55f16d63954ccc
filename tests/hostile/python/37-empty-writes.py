# extfn: empty_writes() -> text impure
# expect: TIMEOUT
# layer: clock
# Calls that write nothing, for ever.
import os

while True:
    os.write(1, b"")
