# extfn: input_that_never_comes() -> text impure
# expect: BLOCKED nothing
# layer: descriptors
# Waits for input: its standard input is at its end.
line = readline()
result = isempty(line) ? "nothing" : "REACHED " * line
