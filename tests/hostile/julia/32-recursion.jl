# extfn: recursion() -> text impure
# expect: ERROR StackOverflowError
# layer: interpreter
# Calls itself for ever.
deeper(depth) = 1 + deeper(depth + 1)
result = string(deeper(0))
