# extfn: core_dump() -> text impure
# expect: KILLED SIGABRT
# layer: rlimits
# Where cores go to a program, that runs as root, with our memory as its input.
import os

os.abort()
