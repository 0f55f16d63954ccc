# extfn: recursion() -> text impure
# expect: BLOCKED refused
# layer: interpreter
# Calls itself for ever.
deeper <- function(depth) deeper(depth + 1)
result <- tryCatch(paste("REACHED", deeper(0)), stackOverflowError = function(e) "refused")
