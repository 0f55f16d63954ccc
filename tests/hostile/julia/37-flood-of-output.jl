# extfn: flood_of_output() -> text impure
# expect: OUTPUT
# layer: output-limit
# More than a host would want to keep.
foreach(_ -> print("x"^65536), 1:48)
result = "REACHED 3 MiB"
