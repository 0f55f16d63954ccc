# extfn: endless_loop() -> text impure
# expect: TIMEOUT
# layer: clock
# Computes for ever.
repeat NULL
