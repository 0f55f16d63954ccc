# extfn: inverse_r(x: number) -> number
if (x == 0) stop("division by zero")
result <- 1 / x
