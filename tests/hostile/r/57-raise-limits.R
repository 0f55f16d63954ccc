# extfn: raise_limits(gate: text) -> text impure
# expect: BLOCKED EPERM
# layer: filter rlimits
# Higher limits than it was given, its own and those of others.
calls <- list(
  c("160", "7", "x00100000000000000010000000000000"), # setrlimit
  c("302", "0", "2", "xffffffffffffffffffffffffffffffff", "0"), # prlimit64, memory
  c("302", "1", "7", "x00100000000000000010000000000000", "0") # of others
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
