# extfn: flood_of_answers(gate: text) -> text impure
# expect: ERROR worker broke the protocol
# layer: decoder
# Writes without end where the answers of its driver go.
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
text <- paste0("@", strrep("x", 60000))
repeat attempt(c("1", "4", text, "60000"))
