# extfn: discount(price: number, quantity: number, paid: number) -> number vectorized
asked <- price * quantity
result <- ifelse(asked > 0, round(100 * (1 - paid / asked)), 0)
# extfn-example: discount(10, 2, 15) = 25
