# extfn: high_bits(gate: text, step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter
# steps: 2
# A forbidden call with bits set that the kernel does not look at.
calls <- list(
  c("4294967397", "16", "1", "0", "0"), # ptrace
  c("4294967461", "@none", "@/tmp", "@tmpfs", "0", "0") # mount
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- attempt(calls[[step + 1]])
