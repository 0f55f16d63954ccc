# extfn: twin() -> text impure
# expect: BLOCKED nothing
# layer: clean-up mounts
# steps: 2
# A word for the next call of the same function, where it can be written.
found <- setdiff(list.files("/tmp"), basename(tempdir()))
writeLines("hello", "/tmp/hostile-twin")
result <- if (length(found)) paste(c("REACHED", found), collapse = " ") else "nothing"
