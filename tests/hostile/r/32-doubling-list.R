# extfn: doubling_list() -> text impure
# expect: MEMORY
# layer: rlimits
# Twice as many each time, each an object of its own.
items <- as.list(runif(1e5))
repeat items <- c(items, as.list(runif(length(items))))
