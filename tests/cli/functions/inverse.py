# extfn: inverse(x: number) -> number
result = 1 / x
