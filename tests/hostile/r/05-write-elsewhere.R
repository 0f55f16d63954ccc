# extfn: write_elsewhere() -> text impure
# expect: BLOCKED refused
# layer: read-only-root landlock
# Writes wherever it may read: the root, the interpreter, its libraries, the driver.
attempt <- function(path) {
  if (suppressWarnings(file.create(path))) paste("REACHED", path) else "refused"
}
folders <- c("/", "/usr", "/home", "/b", R.home(), .Library)
paths <- c(file.path(folders, "hostile"), "/b/driver.R", file.path(R.home("etc"), "Renviron"))
result <- paste(unique(vapply(paths, attempt, "")), collapse = " ")
