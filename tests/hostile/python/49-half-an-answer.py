# extfn: half_an_answer() -> text impure
# expect: TIMEOUT
# layer: clock decoder
# The host waits for the rest.
import os

os.write(4, b"exfn\1\0")
while True:
    pass
