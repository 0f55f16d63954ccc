# extfn: clone3(gate: text) -> text impure
# expect: BLOCKED ENOSYS
# layer: filter seal
# Flags that no filter can read, since they lie in memory.
calls <- list(
  c("435", paste0("x", strrep("00", 3), "10", strrep("00", 84)), "88") # CLONE_NEWUSER
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
