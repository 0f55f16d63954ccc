# extfn: page_tables(gate: text) -> text impure
# expect: BLOCKED ENOMEM
# layer: rlimits
# Tables of pages are memory too: a map that is never written.
calls <- list(
  c("9", "0", "70368744177664", "1", "16418", "-1", "0") # mmap
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
