# lint.R FILE...: lintr with the rules of the project. SPDX-License-Identifier: MIT
rules <- lintr::linters_with_defaults(
  line_length_linter = lintr::line_length_linter(100),
  object_usage_linter = NULL, # function files get their arguments from outside
  commented_code_linter = NULL,
  cyclocomp_linter = NULL # takes a whole file in local() for one function
)
found <- 0L
for (file in commandArgs(trailingOnly = TRUE)) {
  problems <- lintr::lint(file, linters = rules, cache = FALSE)
  found <- found + length(problems)
  print(problems)
}
quit(status = as.integer(found > 0L))
