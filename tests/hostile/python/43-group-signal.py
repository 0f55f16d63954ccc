# extfn: group_signal() -> text impure
# expect: BLOCKED EPERM
# layer: seal landlock session
# opens: seal landlock session
# reached: the supervisor of the worker failed.*
# A signal to the group reaches members outside of the namespace: the supervisor, were it one.
import errno
import os

try:
    os.kill(0, 9)
    result = "REACHED"
except OSError as failure:
    result = errno.errorcode[failure.errno]
