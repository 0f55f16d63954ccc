# extfn: run_the_interpreter() -> text impure
# expect: BLOCKED EPERM
# layer: seal
# opens: seal
# A second interpreter, which would not be sealed.
import errno
import os
import sys

try:
    child = os.posix_spawn(sys.executable, ["python3", "-I", "-S", "-c", "pass"], {})
    result = f"REACHED {os.waitpid(child, 0)[1]}"
except OSError as failure:
    result = errno.errorcode[failure.errno]
