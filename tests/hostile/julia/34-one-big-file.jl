# extfn: one_big_file() -> text impure
# expect: CONTAINED
# layer: tmpfs-size rlimits
# /tmp is memory too: a file that is larger. Julia itself maps files there, and may die of it.
result = try
    open(file -> foreach(_ -> write(file, zeros(UInt8, 2^20)), 1:80), "/tmp/hostile", "w")
    filesize("/tmp/hostile") >= 80 << 20 ? "REACHED 80 MiB" : "refused"
catch failure
    failure isa SystemError ? "refused" : rethrow()
end
