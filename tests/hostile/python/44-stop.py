# extfn: stop() -> text impure
# expect: TIMEOUT
# layer: clock
# Stops itself, and all who would wait for it.
import signal

signal.raise_signal(signal.SIGSTOP)
