# extfn: rule_sets(gate: text) -> text impure
# expect: BLOCKED EPERM
# layer: seal
# Each set of rules keeps memory of the kernel.
calls <- list(
  c("444", "xff1f000000000000", "8", "0"), # landlock_create_ruleset
  c("446", "-1", "0") # landlock_restrict_self
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
