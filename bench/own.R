# own.R ROWS: the same data in R's own loops. The name of one on a line of stdin, the seconds of one
# pass and the sum of its results back. SPDX-License-Identifier: MIT
rows <- as.integer(commandArgs(trailingOnly = TRUE)[1])
x <- 0.5 * seq(0, rows - 1)
y <- seq(0, rows - 1) %% 7
texts <- sprintf("item %d", seq(0L, rows - 1L))
bodies <- list(
  args = function(args) {
    result <- args[[1]] + args[[2]]
    result
  },
  named = function(x, y) {
    result <- x + y
    result
  },
  branch = function(x, y) {
    if (x > y) {
      result <- x - y
    } else {
      result <- y * 2
    }
    result
  },
  text = function(x) {
    result <- paste0(x, "!")
    result
  }
)
loops <- list(
  args = function(body) {
    out <- numeric(rows)
    for (i in seq_along(x)) out[i] <- body(list(x[i], y[i]))
    out
  },
  named = function(body) {
    out <- numeric(rows)
    for (i in seq_along(x)) out[i] <- body(x[i], y[i])
    out
  },
  branch = function(body) {
    out <- numeric(rows)
    for (i in seq_along(x)) out[i] <- body(x[i], y[i])
    out
  },
  text = function(body) {
    out <- character(rows)
    for (i in seq_along(texts)) out[i] <- body(texts[i])
    out
  },
  vectors = function(body) x + y
)
first_code <- function(texts) as.numeric(charToRaw(paste(substr(texts, 1L, 1L), collapse = "")))
bodies <- lapply(bodies, compiler::cmpfun)
loops <- lapply(loops, compiler::cmpfun)

input <- file("stdin", "r")
while (length(line <- readLines(input, 1L)) > 0L) {
  start <- Sys.time()
  out <- loops[[line]](bodies[[line]])
  seconds <- as.numeric(Sys.time() - start, units = "secs")
  stopifnot(length(out) == rows)
  total <- if (is.character(out)) sum(nchar(out)) + sum(first_code(out)) else sum(out)
  cat(sprintf("%.9f %.17g\n", seconds, total))
  flush(stdout())
}
