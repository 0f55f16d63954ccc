# extfn: polite_exit() -> text impure
# expect: ERROR function ended its process with exit status 0
# layer: decoder
# An end without an error.
exit(0)
