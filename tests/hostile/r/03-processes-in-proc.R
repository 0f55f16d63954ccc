# extfn: processes_in_proc() -> text impure
# expect: BLOCKED nothing
# layer: mounts pid-namespace
# The environment, command line and memory of others, and of itself.
files <- c("1/environ", "1/cmdline", "1/maps", "1/mem", "self/mem", "self/maps", "mounts")
found <- files[file.exists(file.path("/proc", files))]
result <- if (length(found)) paste(c("REACHED", found), collapse = " ") else "nothing"
