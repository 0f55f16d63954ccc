# What a sandboxed process per call costs: the program that the predecessor would have generated.
# It arrives on the interpreter's stdin. SPDX-License-Identifier: MIT
args <- list(2.0, 3.0)
result <- args[[1]] + args[[2]]
cat(sprintf("{\"ok\": %.1f}\n", result))
