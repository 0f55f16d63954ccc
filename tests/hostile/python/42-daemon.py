# extfn: daemon() -> text impure
# expect: BLOCKED EPERM
# layer: seal supervisor
# A process that has left its group and its parent, and goes on when the function is done.
import errno
import os
import time

try:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1e6)
        os._exit(0)
    result = "REACHED"
except OSError as failure:
    result = errno.errorcode[failure.errno]
