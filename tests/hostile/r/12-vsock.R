# extfn: vsock(gate: text) -> text impure
# expect: BLOCKED EAFNOSUPPORT
# layer: filter
# A socket to the hypervisor, which no network namespace holds.
calls <- list(
  c("41", "40", "1", "0"), # stream
  c("41", "40", "2", "0") # datagram
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
