# extfn: scheduling(gate: text) -> text impure
# expect: BLOCKED ENOSYS
# layer: filter
# More of the processor than others.
calls <- list(
  c("203", "0", "8", "xffffffffffffffff"), # sched_setaffinity
  c("144", "0", "1", "x01000000"), # sched_setscheduler
  c("141", "0", "0", "-20"), # setpriority
  c("251", "1", "0", "8192"), # ioprio_set
  c("314", "0", "#", "0") # sched_setattr
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
