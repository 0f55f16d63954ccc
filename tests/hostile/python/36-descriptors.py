# extfn: descriptors() -> text impure
# expect: BLOCKED EMFILE
# layer: rlimits
# As many descriptors as it can get; afterwards there is none left to answer with.
import errno
import os

try:
    for _ in range(1000):
        os.dup(0)
    result = "REACHED 1000"
except OSError as failure:
    result = errno.errorcode[failure.errno]
