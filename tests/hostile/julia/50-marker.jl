# extfn: marker() -> text impure
# expect: BLOCKED plain
# layer: driver
# Prints what an answer looks like: where the body prints, nothing is read but text.
for stream in (stdout, stderr)
    write(stream, UInt32[0x6e667865, 18 << 16 | 1, 2, 0, 1, 0])
end
result = "plain"
