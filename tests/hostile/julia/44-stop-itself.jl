# extfn: stop_itself() -> text impure
# expect: TIMEOUT
# layer: clock
# Stops itself, and all who would wait for it.
ccall(:raise, Cint, (Cint,), 19)
