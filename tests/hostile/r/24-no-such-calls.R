# extfn: no_such_calls(gate: text) -> text impure
# expect: BLOCKED ENOSYS
# layer: filter
# Numbers that are none, and those of a second binary interface.
calls <- list(
  c("-1"), # -1
  c("400"), # in the gap
  c("1000") # beyond the last
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
