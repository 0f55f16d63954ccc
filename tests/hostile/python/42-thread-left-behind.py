# extfn: thread_left_behind() -> text impure
# expect: CONTAINED
# layer: supervisor clean-up
# A thread that goes on when the function is done, and writes where answers go.
import os
import threading


def forge():
    while True:
        os.write(4, b"x" * 24)


threading.Thread(target=forge, daemon=True).start()
result = "done"
