# extfn: recursion() -> text impure
# expect: ERROR RecursionError
# layer: interpreter
# Calls itself for ever.
def deeper(depth):
    return deeper(depth + 1)


result = str(deeper(0))
