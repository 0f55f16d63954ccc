# extfn: flood_of_output() -> text impure
# expect: OUTPUT
# layer: output-limit
# More than a host would want to keep.
for (i in 1:48) cat(strrep("x", 65536))
result <- "REACHED 3 MiB"
