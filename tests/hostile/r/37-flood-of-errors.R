# extfn: flood_of_errors() -> text impure
# expect: OUTPUT
# layer: output-limit
# The same on the other stream, without an end.
repeat cat(strrep("x", 65536), file = stderr())
