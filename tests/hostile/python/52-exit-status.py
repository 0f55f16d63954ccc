# extfn: exit_status() -> text impure
# expect: ERROR function ended its process with exit status 137
# layer: decoder
# An end that looks like a kill.
import os

os._exit(137)
