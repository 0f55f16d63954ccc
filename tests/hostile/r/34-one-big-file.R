# extfn: one_big_file() -> text impure
# expect: KILLED SIGXFSZ
# layer: rlimits tmpfs-size
# /tmp is memory too: a file that is larger.
file <- file("/tmp/hostile", "wb", raw = TRUE)
written <- tryCatch({
  for (i in 1:80) writeBin(raw(2^20), file)
  close(file)
  file.size("/tmp/hostile")
}, error = function(e) 0, warning = function(w) 0)
result <- if (written >= 80 * 2^20) "REACHED 80 MiB" else "refused"
