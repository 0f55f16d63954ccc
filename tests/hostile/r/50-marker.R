# extfn: marker() -> text impure
# expect: BLOCKED plain
# layer: driver
# Prints what an answer looks like: where the body prints, nothing is read but text.
for (i in 1:10) cat("exfn\001\001\022\001\002", file = if (i %% 2) stderr() else "")
result <- "plain"
