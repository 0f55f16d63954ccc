# extfn: flood_of_output() -> text impure
# expect: OUTPUT
# layer: output-limit
# opens: output-limit
# More than a host would want to keep.
for _ in range(48):
    print("x" * 65536)
result = "REACHED 3 MiB"
