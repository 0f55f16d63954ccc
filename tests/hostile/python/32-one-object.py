# extfn: one_object() -> text impure
# expect: MEMORY
# layer: rlimits
# More memory than the limit at once.
result = f"REACHED {len(bytearray(600 << 20))}"
