# extfn: host_fifo(fifo: text) -> text impure
# expect: BLOCKED refused
# layer: mounts landlock filter
# Pipes with names: that of the host, and one of its own.
attempt <- function(path) {
  tryCatch({
    pipe <- base::fifo(path, "w", blocking = FALSE)
    writeLines("hello", pipe)
    paste("REACHED", path)
  }, error = function(e) "refused", warning = function(w) "refused")
}
result <- paste(unique(c(attempt(fifo), attempt("/tmp/hostile-pipe"))), collapse = " ")
