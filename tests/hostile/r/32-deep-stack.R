# extfn: deep_stack() -> text impure
# expect: CONTAINED
# layer: rlimits interpreter
# The same with the interpreter's own guards moved far away.
options(expressions = 500000)
deeper <- function(items) vapply(items, function(item) length(deeper(items)), 1)
result <- as.character(deeper(1))
