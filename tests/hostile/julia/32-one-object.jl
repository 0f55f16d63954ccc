# extfn: one_object() -> text impure
# expect: MEMORY
# layer: rlimits
# More memory than the limit at once.
result = "REACHED $(length(zeros(UInt8, 6_000_000_000)))"
