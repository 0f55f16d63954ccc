# extfn: keyrings(gate: text, step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter
# steps: 3
# Keys outlive the sandbox: a channel to whoever gets the uid next.
calls <- list(
  c("248", "@user", "@hostile", "x61", "1", "-4"), # add_key
  c("250", "0", "-4", "1"), # keyctl
  c("249", "@user", "@hostile", "0", "0") # request_key
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- attempt(calls[[step + 1]])
