# extfn: large_number() -> text impure
# expect: TIMEOUT
# layer: clock
# One operation that never ends.
result = str(7 ** (10 ** 8) % 10)
