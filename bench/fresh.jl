# What a sandboxed process per call costs: the program that the predecessor would have generated.
# It arrives on the interpreter's stdin. SPDX-License-Identifier: MIT
args = Any[2.0, 3.0]
result = args[1] + args[2]
println("{\"ok\": ", result, "}")
