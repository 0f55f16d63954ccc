# extfn: one_object() -> text impure
# expect: MEMORY
# layer: rlimits
# More memory than the limit at once.
result <- paste("REACHED", length(numeric(8e8)))
