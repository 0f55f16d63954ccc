# extfn: sessions(gate: text) -> text impure
# expect: BLOCKED EPERM
# layer: seal session
# A group and a session of its own, which a signal to the group would miss.
calls <- list(
  c("112"), # setsid
  c("109", "0", "0") # setpgid
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
