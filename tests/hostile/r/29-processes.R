# extfn: processes(gate: text) -> text impure
# expect: BLOCKED EPERM
# layer: seal rlimits
# Other processes, in all ways that there are.
calls <- list(
  c("57"), # fork
  c("56", "17", "0", "0", "0", "0"), # clone
  c("59", "@/b/extfn-enter", "0", "0"), # execve
  c("322", "-100", "@/b/extfn-enter", "0", "0", "0") # execveat
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
