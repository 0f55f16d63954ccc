# extfn: more_filters(gate: text) -> text impure
# expect: BLOCKED EPERM
# layer: filter seal
# A filter that answers in the place of those in force.
calls <- list(
  c("317", "1", "0", "#"), # SECCOMP_SET_MODE_FILTER
  c("317", "1", "8", "#"), # with a listener
  c("317", "0", "0", "0"), # SECCOMP_SET_MODE_STRICT
  c("157", "22", "2", "#") # by prctl
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
