# extfn: the_clock(gate: text, step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter user-namespace
# steps: 3
# The time of the machine.
calls <- list(
  c("227", "0", "#"), # clock_settime
  c("164", "#", "0"), # settimeofday
  c("159", "#") # adjtimex
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- attempt(calls[[step + 1]])
