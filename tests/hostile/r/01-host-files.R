# extfn: host_files(secret: text) -> text impure
# expect: BLOCKED refused
# layer: mounts landlock
# Reads what every user of the host may read, and what root may.
attempt <- function(path) {
  tryCatch(paste("REACHED", readLines(path, 1L)),
           error = function(e) "refused", warning = function(w) "refused")
}
paths <- c(secret, "/etc/passwd", "/etc/shadow")
result <- paste(unique(vapply(paths, attempt, "")), collapse = " ")
