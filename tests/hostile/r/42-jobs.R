# extfn: jobs() -> text impure
# expect: BLOCKED refused
# layer: seal supervisor
# A process that goes on when the function is done.
result <- tryCatch({
  parallel::mcparallel(Sys.sleep(1e6), detached = TRUE)
  "REACHED"
}, error = function(e) "refused", warning = function(w) "refused")
