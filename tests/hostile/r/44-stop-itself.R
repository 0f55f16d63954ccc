# extfn: stop_itself(gate: text) -> text impure
# expect: TIMEOUT
# layer: clock
# Stops itself, and all who would wait for it.
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
own <- as.character(Sys.getpid())
result <- attempt(c("234", own, own, "19"))
