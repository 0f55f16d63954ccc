# extfn: host_processes(host: number) -> text impure
# expect: BLOCKED ESRCH
# layer: pid-namespace
# opens: pid-namespace
# Whether a process of the host is there, by a question that any process may ask.
import errno
import os

try:
    result = f"REACHED {os.getpgid(int(host))}"
except OSError as failure:
    result = errno.errorcode[failure.errno]
