# extfn: other_mounts(gate: text, step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter user-namespace
# steps: 3
# Another view of files.
calls <- list(
  c("165", "@none", "@/tmp", "@tmpfs", "0", "0"), # mount
  c("165", "@none", "@/", "@none", "4128", "0"), # mount, / writable again
  c("166", "@/tmp", "2") # umount2
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- attempt(calls[[step + 1]])
