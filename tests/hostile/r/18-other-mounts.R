# extfn: other_mounts(gate: text, step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter user-namespace
# steps: 11
# Another view of files.
calls <- list(
  c("165", "@none", "@/tmp", "@tmpfs", "0", "0"), # mount
  c("165", "@none", "@/", "@none", "4128", "0"), # mount, / writable again
  c("166", "@/tmp", "2"), # umount2
  c("155", "@/tmp", "@/tmp"), # pivot_root
  c("161", "@/tmp"), # chroot
  c("428", "-100", "@/tmp", "1"), # open_tree
  c("429", "-1", "@", "-100", "@/tmp", "0"), # move_mount
  c("430", "@tmpfs", "0"), # fsopen
  c("432", "-1", "0", "0"), # fsmount
  c("433", "-100", "@/tmp", "0"), # fspick
  c("442", "-100", "@/", "0", "#", "32") # mount_setattr
)
file <- tempfile()
starts <- seq(1, nchar(gate), 2)
writeBin(as.raw(strtoi(substring(gate, starts, starts + 1), 16L)), file)
dyn.load(file)
attempt <- function(words) .C("gate", words, length(words), answer = "")$answer
result <- attempt(calls[[step + 1]])
