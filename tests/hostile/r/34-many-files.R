# extfn: many_files() -> text impure
# expect: BLOCKED refused
# layer: tmpfs-files
# Files without a byte in them, which take memory of the kernel all the same.
made <- suppressWarnings(file.create(paste0("/tmp/hostile-", 1:6000)))
result <- if (all(made)) "REACHED 6000" else "refused"
