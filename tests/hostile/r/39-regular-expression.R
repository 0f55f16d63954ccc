# extfn: regular_expression() -> text impure
# expect: TIMEOUT
# layer: clock
# An expression that takes twice as long for every letter, in C, where no signal is looked at.
repeat result <- as.character(regexpr("(a|aa)+\\1$", paste0(strrep("a", 28), "b")))
