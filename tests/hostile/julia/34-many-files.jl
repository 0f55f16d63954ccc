# extfn: many_files() -> text impure
# expect: BLOCKED refused
# layer: tmpfs-files
# Files without a byte in them, which take memory of the kernel all the same.
result = try
    foreach(number -> touch("/tmp/hostile-$number"), 1:6000)
    "REACHED 6000"
catch failure
    failure isa SystemError || failure isa Base.IOError ? "refused" : rethrow()
end
