# Run in place of the driver: what a confined R sees.
for (package in c("methods", "datasets", "utils", "grDevices", "graphics", "stats")) {
  library(package, character.only = TRUE) # as the driver does
}
names <- "b bin boot dev etc home lib lib64 media mnt opt proc root run sbin srv sys tmp usr var"
names <- strsplit(names, " ")[[1L]]
cat("root", names[file.exists(paste0("/", names))], "\n") # Landlock hides the list
cat("search", search(), "\n")
cat("sorted", sort(c("b", "A", "a", "B")), "\n")
cat("median", stats::median(c(1, 3)), nchar(utils::head("abc")), "\n")
cat("solve", solve(matrix(c(2, 0, 0, 4), 2))[2, 2], "\n")
cat("fit", stats::coef(stats::lm(y ~ x, data.frame(x = 1:3, y = c(2, 4, 6))))[["x"]], "\n")
cat("arguments", commandArgs(trailingOnly = TRUE), "\n")
cat("libraries", sub("/tmp/.*", "/tmp/...", .libPaths()), "\n")
cat("warnings", length(warnings()), "\n")
