# extfn: doubling_list() -> text impure
# expect: MEMORY
# layer: rlimits
# Twice as many each time, each an object of its own.
function grow(items)
    while true
        append!(items, [string(i) for i in eachindex(items)])
    end
end
grow(["0"])
