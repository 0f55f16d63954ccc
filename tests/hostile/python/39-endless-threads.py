# extfn: endless_threads() -> text impure
# expect: TIMEOUT
# layer: clock
# Computes for ever in many threads.
import threading


def loop():
    while True:
        pass


for _ in range(8):
    threading.Thread(target=loop, daemon=True).start()
loop()
