# extfn: half_an_answer(gate: text) -> text impure
# expect: TIMEOUT
# layer: clock decoder
# The host waits for the rest.
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
attempt(c("1", "4", "x6578666e0100", "6"))
repeat NULL
