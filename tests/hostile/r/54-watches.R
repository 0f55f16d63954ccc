# extfn: watches(gate: text) -> text impure
# expect: BLOCKED ENOSYS
# layer: filter
# Watches what other sandboxes do with the same files.
calls <- list(
  c("294", "0"), # inotify_init1
  c("253") # inotify_init
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
