# extfn: tcp(port: number) -> text impure
# expect: BLOCKED refused
# layer: filter net-namespace landlock
# The host itself, the cloud's metadata, a name server; and a port of its own.
attempt <- function(...) {
  tryCatch({
    close(socketConnection(..., timeout = 1))
    "REACHED"
  }, error = function(e) "refused", warning = function(w) "refused")
}
answers <- c(attempt("127.0.0.1", port), attempt("169.254.169.254", 80), attempt("8.8.8.8", 53),
             attempt("localhost", 47113, server = TRUE))
result <- paste(unique(answers), collapse = " ")
