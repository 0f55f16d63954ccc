# extfn: endless_loop() -> text impure
# expect: TIMEOUT
# layer: clock
# opens: clock
# Computes for ever.
while True:
    pass
