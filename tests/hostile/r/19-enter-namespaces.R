# extfn: enter_namespaces(gate: text, step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter user-namespace
# steps: 2
# The namespaces of others, by whatever descriptor is there.
calls <- list(
  c("308", "3", "0"), # setns
  c("308", "0", "268435456") # setns, of users
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- attempt(calls[[step + 1]])
