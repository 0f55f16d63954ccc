# extfn: the_machine(gate: text, step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter user-namespace
# steps: 3
# The kernel, its modules, its names and its devices.
calls <- list(
  c("169", "0", "0", "0", "0"), # reboot
  c("246", "0", "0", "0", "0"), # kexec_load
  c("175", "0", "0", "@") # init_module
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- attempt(calls[[step + 1]])
