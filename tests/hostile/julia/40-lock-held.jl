# extfn: lock_held() -> text impure
# expect: TIMEOUT
# layer: clock
# Waits for what never happens.
wait(Condition())
