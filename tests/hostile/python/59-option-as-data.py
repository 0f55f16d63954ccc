# extfn: option_as_data(option: text) -> text impure
# expect: BLOCKED ENOENT
# layer: driver
# Its argument looks like an option of bubblewrap: it is data.
import errno
import os

try:
    result = f"REACHED {os.listdir(option.split()[-1])}"
except OSError as failure:
    result = errno.errorcode[failure.errno]
