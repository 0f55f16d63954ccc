# extfn: risky_calls(gate: text, step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter
# steps: 3
# Parts of the kernel with many holes in their past.
calls <- list(
  c("321", "0", "#", "64"), # bpf
  c("298", "#", "0", "-1", "-1", "0"), # perf_event_open
  c("323", "1") # userfaultfd
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- attempt(calls[[step + 1]])
