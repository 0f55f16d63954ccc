# extfn: hypot(x: number, y: number) -> number
result = (x * x + y * y) ** 0.5
