# extfn: signal_the_first_process(gate: text) -> text impure
# expect: BLOCKED EPERM
# layer: seal landlock
# A signal to the first process of the sandbox; none, to see whether it may.
calls <- list(
  c("62", "1", "0") # kill
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
