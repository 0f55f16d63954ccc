# extfn: doubling_text() -> text impure
# expect: MEMORY
# layer: rlimits
# Twice as much each time, of what is in use.
text <- strrep("x", 1e6)
repeat text <- paste0(text, text)
