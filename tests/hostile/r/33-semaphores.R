# extfn: semaphores(gate: text) -> text impure
# expect: BLOCKED ENOSYS
# layer: filter ipc-namespace
# Semaphores and queues, seen by whoever knows their number or name.
calls <- list(
  c("64", "1752134516", "1", "896"), # semget
  c("240", "@hostile", "66", "384", "0") # mq_open
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
