# extfn: io_uring(gate: text) -> text impure
# expect: BLOCKED ENOSYS
# layer: filter rlimits
# System calls that a ring makes pass no filter.
calls <- list(
  c("425", "1", "#"), # io_uring_setup
  c("426", "-1", "1", "0", "0"), # io_uring_enter
  c("427", "-1", "0", "0", "0") # io_uring_register
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
