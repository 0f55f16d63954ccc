# extfn: many_big_files() -> text impure
# expect: BLOCKED refused
# layer: tmpfs-size
# Files that are small enough each, and more than /tmp holds together.
paths <- paste0("/tmp/hostile-", 1:12)
for (path in paths) {
  try(writeBin(raw(8 * 2^20), path), silent = TRUE)
}
result <- if (sum(file.size(paths), na.rm = TRUE) > 64 * 2^20) "REACHED" else "refused"
