# extfn: core_dump(gate: text) -> text impure
# expect: KILLED SIGABRT
# layer: rlimits
# Where cores go to a program, that runs as root, with our memory as its input.
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
own <- as.character(Sys.getpid())
result <- attempt(c("234", own, own, "6"))
