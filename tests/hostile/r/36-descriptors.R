# extfn: descriptors() -> text impure
# expect: BLOCKED refused
# layer: rlimits interpreter
# As many files as it can hold open.
path <- tempfile()
file.create(path)
result <- tryCatch({
  held <- lapply(1:1000, function(i) file(path, "r"))
  "REACHED 1000"
}, error = function(e) "refused", warning = function(w) "refused")
