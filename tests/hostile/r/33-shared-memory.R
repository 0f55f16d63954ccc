# extfn: shared_memory(gate: text) -> text impure
# expect: BLOCKED ENOMEM
# layer: filter seal
# Memory that no limit counts: shared with nobody.
calls <- list(
  c("9", "0", "1048576", "3", "33", "-1", "0") # mmap
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
