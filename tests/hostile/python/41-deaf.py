# extfn: deaf() -> text impure
# expect: TIMEOUT
# layer: clock supervisor
# Ignores every signal that can be ignored.
import signal

signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
for number in set(range(1, 65)) - {9, 19, 32, 33}:
    signal.signal(number, signal.SIG_IGN)
while True:
    pass
