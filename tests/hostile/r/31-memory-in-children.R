# extfn: memory_in_children() -> text impure
# expect: BLOCKED refused
# layer: seal
# Memory for each of ten processes, where only the memory of one is counted.
result <- tryCatch({
  sizes <- parallel::mclapply(1:10, function(i) length(raw(3e8)), mc.cores = 10L)
  if (any(vapply(sizes, is.numeric, TRUE))) "REACHED" else "refused"
}, error = function(e) "refused", warning = function(w) "refused")
