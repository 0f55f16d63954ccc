# extfn: own_files() -> text impure
# expect: BLOCKED refused
# layer: read-only-root mounts
# Removes and moves the interpreter and the driver.
function attempt(action)
    try
        action()
        "REACHED"
    catch failure
        failure isa Base.IOError || failure isa SystemError ? "refused" : rethrow()
    end
end
julia = joinpath(Sys.BINDIR, "julia")
result = join(unique([attempt(() -> rm(julia)), attempt(() -> rm("/b/extfn-enter")),
    attempt(() -> mkdir("/hostile")), attempt(() -> chmod(julia, 0o777)),
    attempt(() -> symlink("/tmp", "/b/hostile"))]), " ")
