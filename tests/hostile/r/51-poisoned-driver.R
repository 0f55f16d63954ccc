# extfn: poisoned_driver() -> text impure
# expect: CONTAINED
# layer: decoder driver
# Replaces the functions that its driver works with.
for (name in c("tryCatch", "identical", "eval", "is.character", "readBin")) {
  unlockBinding(name, baseenv())
  assign(name, function(...) 1L, envir = baseenv())
}
for (frame in sys.frames()) rm(list = ls(frame, all.names = TRUE), envir = frame)
result <- "done"
