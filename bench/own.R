# own.R ROWS: the same data in R. A line `rows` on stdin makes one pass with R's own loop, a line
# `vectors` one over whole vectors; the seconds come back. SPDX-License-Identifier: MIT
rows <- as.integer(commandArgs(trailingOnly = TRUE)[1])
x <- 0.5 * seq(0, rows - 1)
y <- seq(0, rows - 1) %% 7
body <- compiler::cmpfun(function(args) {
  result <- args[[1]] + args[[2]]
  result
})
each_row <- compiler::cmpfun(function() {
  out <- numeric(rows)
  for (i in seq_along(x)) out[i] <- body(list(x[i], y[i]))
  out
})
whole <- function() body(list(x, y))

input <- file("stdin", "r")
while (length(line <- readLines(input, 1L)) > 0L) {
  run <- if (line == "vectors") whole else each_row
  start <- Sys.time()
  out <- run()
  seconds <- as.numeric(Sys.time() - start, units = "secs")
  stopifnot(sum(out) == sum(x) + sum(y))
  cat(sprintf("%.9f\n", seconds))
  flush(stdout())
}
