# extfn: input_that_never_comes() -> text impure
# expect: BLOCKED nothing
# layer: descriptors
# Waits for input: its standard input is at its end.
import os

result = f"REACHED {os.read(0, 10)}" if os.read(0, 10) else "nothing"
