# extfn: memory_in_children() -> text impure
# expect: BLOCKED refused
# layer: seal
# Memory for each of ten processes, where only the memory of one is counted.
result = try
    for _ in 1:10
        run(`$(Base.julia_cmd()) -e "zeros(UInt8, 300_000_000)"`; wait = false)
    end
    "REACHED 10"
catch failure
    failure isa Base.IOError ? "refused" : rethrow()
end
