# extfn: look_into_others(gate: text, step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter seal pid-namespace
# steps: 3
# Reads and holds the memory and descriptors of another process.
calls <- list(
  c("310", "1", "#", "1", "#", "1", "0"), # process_vm_readv
  c("311", "1", "#", "1", "#", "1", "0"), # process_vm_writev
  c("434", "1", "0") # pidfd_open
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- attempt(calls[[step + 1]])
