# extfn: by_descriptor() -> text impure
# expect: BLOCKED refused
# layer: descriptors mounts
# Descriptors by their names.
attempt <- function(path) {
  tryCatch(paste("REACHED", length(readBin(file(path, "rb", raw = TRUE), "raw", 10L))),
           error = function(e) "refused", warning = function(w) "refused")
}
paths <- c(paste0("/dev/fd/", 0:12), paste0("/proc/self/fd/", 0:12), "/dev/stdin", "/dev/tty")
result <- paste(unique(vapply(paths, attempt, "")), collapse = " ")
