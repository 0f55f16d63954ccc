# extfn: download() -> text impure
# expect: BLOCKED refused
# layer: filter net-namespace seal
# Each of R's ways to get a file from elsewhere.
attempt <- function(method) {
  tryCatch({
    status <- utils::download.file("http://127.0.0.1/", "/tmp/hostile", method, quiet = TRUE)
    if (status == 0L) "REACHED" else "refused"
  }, error = function(e) "refused", warning = function(w) "refused")
}
methods <- c("internal", "libcurl", "wget", "curl")
result <- paste(unique(vapply(methods, attempt, "")), collapse = " ")
