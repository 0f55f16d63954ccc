# extfn: forever(price: number) -> number
# Hostile: never ends.
while (TRUE) price <- price + 1
