# extfn: sleep() -> text impure
# expect: TIMEOUT
# layer: clock
# Uses no processor time at all.
import time

time.sleep(1e6)
