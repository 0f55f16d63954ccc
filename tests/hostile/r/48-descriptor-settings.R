# extfn: descriptor_settings(gate: text) -> text impure
# expect: BLOCKED EPERM
# layer: filter
# Signals, locks, leases and sizes by way of a descriptor.
calls <- list(
  c("72", "1", "8", "1"), # F_SETOWN
  c("72", "1", "10", "9"), # F_SETSIG
  c("72", "1", "1031", "1048576"), # F_SETPIPE_SZ
  c("72", "5", "1024", "0"), # F_SETLEASE
  c("72", "5", "6", "#"), # F_SETLK
  c("72", "6", "1033", "1") # F_ADD_SEALS
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
