# extfn: segments(gate: text) -> text impure
# expect: BLOCKED ENOSYS
# layer: filter seal ipc-namespace
# Memory that outlives its process, seen by whoever knows its number.
calls <- list(
  c("29", "1752134516", "4096", "896"), # shmget
  c("68", "1752134516", "896") # msgget
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
