# extfn: margin(revenue: number, cost: number) -> number
result = revenue - cost
