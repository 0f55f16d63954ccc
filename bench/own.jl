# own.jl ROWS: the same data in Julia's own loop over vectors. A line on stdin, the seconds of one
# pass back. SPDX-License-Identifier: MIT
function body(args)
    result = args[1] + args[2]
    return result
end

function each_row(x, y)
    out = zeros(length(x))
    for i in 1:length(x)
        out[i] = body(Any[x[i], y[i]])
    end
    return out
end

function main(rows)
    x = [0.5 * i for i in 0:rows-1]
    y = [Float64(i % 7) for i in 0:rows-1]
    for _ in eachline(stdin)
        start = time_ns()
        out = each_row(x, y)
        seconds = (time_ns() - start) / 1e9
        sum(out) == sum(x) + sum(y) || error("wrong sum")
        println(seconds)
        flush(stdout)
    end
end

main(parse(Int, ARGS[1]))
