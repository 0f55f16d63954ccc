# extfn: polite_exit() -> text impure
# expect: ERROR SystemExit
# layer: driver
# An end without an error.
import sys

sys.exit(0)
