# extfn: roll(x: number) -> number impure
result = x
