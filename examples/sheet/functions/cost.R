# extfn: cost(unit_cost: number, units: number) -> number
discount <- if (units >= 100) 0.9 else 1
result <- unit_cost * units * discount
