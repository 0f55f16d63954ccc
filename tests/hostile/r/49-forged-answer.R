# extfn: forged_answer(gate: text) -> text impure
# expect: ERROR worker broke the protocol
# layer: decoder
# An answer to another call.
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
attempt(c("1", "4", "x6578666e0100120063000000000000000100000000000000", "24"))
repeat NULL
