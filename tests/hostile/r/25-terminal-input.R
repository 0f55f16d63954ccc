# extfn: terminal_input(gate: text) -> text impure
# expect: BLOCKED ENOTTY
# layer: filter session descriptors
# Types into the terminal of whoever runs the host.
calls <- list(
  c("16", "0", "21522", "@x"), # TIOCSTI
  c("16", "0", "4294988818", "@x"), # TIOCSTI with a high bit
  c("16", "1", "21532", "@x"), # TIOCLINUX
  c("16", "1", "21518", "1") # TIOCSCTTY
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
