# extfn: run_what_was_written() -> text impure
# expect: BLOCKED EPERM
# layer: seal landlock
# opens: seal landlock
# A program of its own making; as `sh`, extfn-enter only ends, with status 1.
import errno
import os
import shutil

shutil.copyfile("/b/extfn-enter", "/tmp/sh")
os.chmod("/tmp/sh", 0o755)
try:
    child = os.posix_spawn("/tmp/sh", ["sh"], {})
    status = os.waitpid(child, 0)[1]
    result = f"REACHED {status}" if os.WEXITSTATUS(status) == 1 else f"status {status}"
except OSError as failure:
    result = errno.errorcode[failure.errno]
