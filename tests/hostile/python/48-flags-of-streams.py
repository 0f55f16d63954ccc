# extfn: flags_of_streams() -> text impure
# expect: BLOCKED done
# layer: supervisor
# Flags that an open file shares with all that hold it: the host's ends are other files.
import fcntl
import os

for descriptor in range(7):
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    if descriptor not in (3, 4):
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_NONBLOCK | os.O_APPEND)
result = "done"
