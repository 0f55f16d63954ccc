# extfn: half(x: number) -> number vectorized
result <- x / 2
