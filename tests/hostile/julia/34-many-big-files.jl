# extfn: many_big_files() -> text impure
# expect: BLOCKED refused
# layer: tmpfs-size
# Files that are small enough each, and more than /tmp holds together.
for number in 1:12
    try
        write("/tmp/hostile-$number", zeros(UInt8, 8 * 2^20))
    catch failure
        failure isa SystemError || rethrow()
    end
end
size = sum(number -> filesize("/tmp/hostile-$number"), 1:12)
result = size > 64 * 2^20 ? "REACHED $size" : "refused"
