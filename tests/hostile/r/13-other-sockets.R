# extfn: other_sockets(gate: text) -> text impure
# expect: BLOCKED EAFNOSUPPORT
# layer: filter
# Families of sockets with much of the kernel behind them.
calls <- list(
  c("41", "16", "3", "0"), # netlink
  c("41", "17", "3", "0"), # packet
  c("41", "38", "5", "0"), # alg
  c("41", "44", "3", "0"), # xdp
  c("41", "2", "3", "1"), # raw ICMP
  c("41", "31", "3", "0") # bluetooth
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
