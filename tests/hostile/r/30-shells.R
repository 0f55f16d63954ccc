# extfn: shells() -> text impure
# expect: BLOCKED refused
# layer: seal mounts
# Commands by all that R has for them; its shell is a program that only fails.
attempt <- function(expression) {
  tryCatch(if (identical(expression, 0L)) "REACHED" else "refused",
           error = function(e) "refused", warning = function(w) "refused")
}
answers <- c(attempt(system("true")), attempt(system2("true")),
             attempt(system("true", wait = FALSE)),
             attempt(length(readLines(pipe("echo hello"))) - 1L),
             attempt(length(system("echo hello", intern = TRUE)) - 1L))
result <- paste(unique(answers), collapse = " ")
