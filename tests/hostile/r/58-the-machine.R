# extfn: the_machine(gate: text, step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter user-namespace
# steps: 13
# The kernel, its modules, its names and its devices.
calls <- list(
  c("169", "0", "0", "0", "0"), # reboot
  c("246", "0", "0", "0", "0"), # kexec_load
  c("175", "0", "0", "@"), # init_module
  c("313", "-1", "@", "0"), # finit_module
  c("176", "@none", "0"), # delete_module
  c("170", "@hostile", "7"), # sethostname
  c("171", "@hostile", "7"), # setdomainname
  c("167", "@/tmp", "0"), # swapon
  c("163", "0"), # acct
  c("179", "0", "0", "0", "0"), # quotactl
  c("172", "3"), # iopl
  c("173", "0", "1", "1"), # ioperm
  c("103", "2", "#", "16") # syslog
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- attempt(calls[[step + 1]])
