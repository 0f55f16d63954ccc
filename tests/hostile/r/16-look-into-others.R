# extfn: look_into_others(gate: text, step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter seal pid-namespace
# steps: 6
# Reads and holds the memory and descriptors of another process.
calls <- list(
  c("310", "1", "#", "1", "#", "1", "0"), # process_vm_readv
  c("311", "1", "#", "1", "#", "1", "0"), # process_vm_writev
  c("434", "1", "0"), # pidfd_open
  c("438", "3", "0", "0"), # pidfd_getfd
  c("312", "1", "1", "0", "0", "0"), # kcmp
  c("440", "3", "#", "1", "0", "0") # process_madvise
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- attempt(calls[[step + 1]])
