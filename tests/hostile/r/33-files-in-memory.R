# extfn: files_in_memory(gate: text) -> text impure
# expect: BLOCKED ENOSYS
# layer: filter seal
# Memory that no limit counts: files without a name.
calls <- list(
  c("319", "@hostile", "0") # memfd_create
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
