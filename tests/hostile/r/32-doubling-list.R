# extfn: doubling_list() -> text impure
# expect: MEMORY
# layer: rlimits
# Twice as many each time, each an object of its own.
items <- list(0)
repeat items <- c(items, lapply(items, function(item) numeric(1000)))
