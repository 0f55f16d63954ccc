# extfn: host_file_exists(secret: text, locked: text) -> text impure
# expect: BLOCKED nothing
# layer: mounts
# Whether a file is there is worth knowing too.
paths <- c(secret, locked, "/etc/passwd", "/etc/shadow")
result <- if (any(file.exists(paths))) "REACHED" else "nothing"
