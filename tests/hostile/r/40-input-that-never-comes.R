# extfn: input_that_never_comes() -> text impure
# expect: BLOCKED nothing
# layer: descriptors
# Waits for input: its standard input is at its end.
lines <- c(readLines(file("stdin"), 1L), readline())
result <- if (any(nzchar(lines))) paste(c("REACHED", lines), collapse = " ") else "nothing"
