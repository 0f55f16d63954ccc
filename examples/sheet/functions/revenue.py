# extfn: revenue(price: number, units: number) -> number
if units < 0:
    raise ValueError("more returned than sold")
result = price * units
