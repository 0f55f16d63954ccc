# extfn: threads() -> text impure
# expect: BLOCKED refused
# layer: rlimits
# opens: rlimits
# As many threads as it can get.
import threading

done = threading.Event()
threads = []
try:
    for _ in range(60):
        threads.append(threading.Thread(target=done.wait))
        threads[-1].start()
    result = f"REACHED {len(threads)}"
except RuntimeError:
    result = "refused"
done.set()
