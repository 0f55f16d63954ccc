# extfn: trace_others(gate: text, step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter seal pid-namespace
# steps: 3
# Takes over the first process of the sandbox, which would never end then.
calls <- list(
  c("101", "16", "1", "0", "0"), # PTRACE_ATTACH
  c("101", "16902", "1", "0", "0"), # PTRACE_SEIZE
  c("101", "0", "0", "0", "0") # PTRACE_TRACEME
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- attempt(calls[[step + 1]])
