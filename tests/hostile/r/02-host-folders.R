# extfn: host_folders() -> text impure
# expect: BLOCKED nothing
# layer: mounts
# Lists the folders of the host; /home is there and empty.
folders <- c("/root", "/var", "/run", "/sys", "/boot", "/opt", "/srv", "/mnt", "/dev", "/home")
found <- list.files(folders, all.files = TRUE, no.. = TRUE)
result <- if (length(found)) paste(c("REACHED", found), collapse = " ") else "nothing"
