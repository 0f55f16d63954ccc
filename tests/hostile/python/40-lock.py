# extfn: lock() -> text impure
# expect: TIMEOUT
# layer: clock
# Waits for a lock that it holds itself.
import threading

held = threading.Lock()
held.acquire()
held.acquire()
