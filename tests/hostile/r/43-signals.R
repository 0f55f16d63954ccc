# extfn: signals(gate: text) -> text impure
# expect: BLOCKED EPERM
# layer: seal
# A signal to everybody, to the group, to the first process.
calls <- list(
  c("62", "-1", "0"), # kill -1
  c("62", "0", "0"), # kill 0
  c("62", "1", "0"), # kill 1
  c("200", "1", "0"), # tkill
  c("234", "1", "1", "0"), # tgkill
  c("129", "1", "0", "#") # rt_sigqueueinfo
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
