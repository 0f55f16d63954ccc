# extfn: large_matrix() -> text impure
# expect: TIMEOUT
# layer: clock
# One operation that takes minutes.
m <- matrix(1, 2000, 2000)
result <- as.character(sum(solve(m + diag(2000)) %*% m %*% m %*% m %*% m %*% m %*% m %*% m))
