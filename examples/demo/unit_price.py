# extfn: unit_price(paid: number, quantity: number) -> number
if quantity == 0:
    raise ValueError("nothing was ordered")
result = round(paid / quantity, 2)
# extfn-example: unit_price(80.87, 3) = 26.96
# extfn-example: unit_price(5, 0) = error: nothing was ordered
