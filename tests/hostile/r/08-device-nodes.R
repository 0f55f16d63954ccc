# extfn: device_nodes(gate: text) -> text impure
# expect: BLOCKED ENOSYS
# layer: filter
# A pipe and a device with names, for whoever opens them.
calls <- list(
  c("133", "@/tmp/hostile-pipe", "4534", "0"), # mknod, a pipe
  c("133", "@/tmp/hostile-mem", "8630", "257"), # mknod, /dev/mem
  c("259", "-100", "@/tmp/hostile-other", "8630", "257") # mknodat
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- paste(sort(unique(vapply(calls, attempt, ""))), collapse = " ")
