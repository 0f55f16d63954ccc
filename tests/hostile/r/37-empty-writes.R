# extfn: empty_writes() -> text impure
# expect: TIMEOUT
# layer: clock
# Calls that write nothing, for ever.
repeat cat("")
