# extfn: flood_of_errors() -> text impure
# expect: OUTPUT
# layer: output-limit
# The same on the other stream, without an end.
while true
    print(stderr, "x"^65536)
end
