# extfn: run_what_was_written() -> text impure
# expect: BLOCKED refused
# layer: seal landlock
# A program of its own making; as `sh`, extfn-enter only ends, with status 1.
write("/tmp/sh", read("/b/extfn-enter"))
chmod("/tmp/sh", 0o755)
result = try
    "REACHED $(run(ignorestatus(`/tmp/sh`)).exitcode)"
catch failure
    failure isa Base.IOError ? "refused" : rethrow()
end
