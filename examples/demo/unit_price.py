# extfn: unit_price(paid: number, quantity: number) -> number
if quantity == 0:
    raise ValueError("nothing was ordered")
result = round(paid / quantity, 2)
