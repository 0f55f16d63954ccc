# extfn: privileges(gate: text) -> text impure
# expect: BLOCKED ENOSYS
# layer: filter user-namespace
# Is root, or wants to be.
calls <- list(
  c("105", "0"), # setuid
  c("106", "0"), # setgid
  c("117", "0", "0", "0"), # setresuid
  c("116", "0", "0"), # setgroups
  c("126", "x2205082000000000", "xffffffffffffffffffffffffffffffffffffffffffffffff") # capset
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
