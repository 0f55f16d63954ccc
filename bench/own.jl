# own.jl ROWS: the same data in Julia's own loop. A line on stdin, the seconds of one pass back.
# SPDX-License-Identifier: MIT
function body(args)
    result = args[1] + args[2]
    return result
end

function each_row(out, x, y)
    for row in 1:length(x)
        out[row] = body(Any[x[row], y[row]])
    end
end

function main(rows)
    x = [0.5 * row for row in 0:rows-1]
    y = [Float64(row % 7) for row in 0:rows-1]
    out = similar(x)
    for _ in eachline(stdin)
        start = time_ns()
        each_row(out, x, y)
        seconds = (time_ns() - start) / 1e9
        out == x + y || error("wrong")
        println(seconds)
        flush(stdout)
    end
end

main(parse(Int, ARGS[1]))
