# extfn: links(secret: text) -> text impure
# expect: BLOCKED nothing
# layer: mounts
# Links from /tmp to what is outside of it, symbolic and hard ones.
from <- c(secret, "/etc/passwd", file.path(R.home("etc"), "Renviron"))
to <- paste0("/tmp/hostile-", seq_along(from))
suppressWarnings(file.symlink(from[1:2], to[1:2]))
suppressWarnings(file.link(from[3L], to[3L]))
found <- from[file.exists(to)]
result <- if (length(found)) paste(c("REACHED", found), collapse = " ") else "nothing"
