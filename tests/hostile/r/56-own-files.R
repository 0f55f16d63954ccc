# extfn: own_files() -> text impure
# expect: BLOCKED refused
# layer: read-only-root mounts
# Removes and moves the interpreter and the driver.
files <- c(file.path(R.home(), "bin", "exec", "R"), "/b/extfn-enter", "/b/driver.R", "/usr/bin/sh")
done <- suppressWarnings(c(file.remove(files), file.rename("/b/extfn-guest.so", "/b/hostile"),
                           dir.create("/hostile"), Sys.chmod(files, "0777"),
                           Sys.setFileTime(files, Sys.time())))
result <- if (any(done)) "REACHED" else "refused"
