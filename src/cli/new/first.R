# extfn: NAME(price: number, quantity: number) -> number
# extfn-example: NAME(2.5, 4) = 10
# extfn-example: NAME(2.5, -1) = error: quantity is negative
if (quantity < 0) {
  stop("quantity is negative")
}
result <- price * quantity
