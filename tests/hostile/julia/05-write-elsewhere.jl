# extfn: write_elsewhere() -> text impure
# expect: BLOCKED refused
# layer: read-only-root landlock
# Writes wherever it may read: the root, the interpreter, its libraries, the driver.
function attempt(path)
    try
        close(open(path, "a"))
        "REACHED " * path
    catch failure
        failure isa SystemError ? "refused" : rethrow()
    end
end
folders = ["/", "/usr", "/home", "/b", Sys.BINDIR, Sys.STDLIB, "/proc", "/dev"]
paths = [map(folder -> joinpath(folder, "hostile"), folders); "/b/driver.jl"; "/proc/cpuinfo"]
result = join(unique(map(attempt, paths)), " ")
