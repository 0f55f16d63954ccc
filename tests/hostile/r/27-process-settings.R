# extfn: process_settings(gate: text) -> text impure
# expect: BLOCKED EPERM
# layer: filter seal
# Outlives its parent, may be traced, adopts orphans.
calls <- list(
  c("157", "1", "0"), # PR_SET_PDEATHSIG
  c("157", "4", "1"), # PR_SET_DUMPABLE
  c("157", "1499557217", "-1"), # PR_SET_PTRACER
  c("157", "36", "1"), # PR_SET_CHILD_SUBREAPER
  c("157", "8", "1"), # PR_SET_KEEPCAPS
  c("135", "262144") # personality
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
