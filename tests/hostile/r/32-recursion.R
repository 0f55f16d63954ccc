# extfn: recursion() -> text impure
# expect: ERROR stackOverflowError
# layer: interpreter
# Calls itself for ever.
deeper <- function(depth) deeper(depth + 1)
result <- as.character(deeper(0))
