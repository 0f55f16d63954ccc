# extfn: new_namespaces(gate: text, step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter user-namespace
# steps: 3
# A user namespace of its own, with all privileges in it.
calls <- list(
  c("272", "268435456"), # unshare
  c("272", "131072"), # unshare of mounts
  c("56", "268435473", "0", "0", "0", "0") # clone
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- attempt(calls[[step + 1]])
