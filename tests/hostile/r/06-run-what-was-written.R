# extfn: run_what_was_written() -> text impure
# expect: BLOCKED refused
# layer: seal landlock
# A program of its own making; as `sh`, extfn-enter only ends, with status 1.
file.copy("/b/extfn-enter", "/tmp/sh")
Sys.chmod("/tmp/sh", "0755")
status <- suppressWarnings(system2("/tmp/sh"))
result <- if (status == 1L) "REACHED" else "refused"
