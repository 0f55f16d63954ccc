# own.jl ROWS: the same data in Julia's own loops over vectors. The name of one on a line of stdin,
# the seconds of one pass and the sum of its results back. SPDX-License-Identifier: MIT
function add_args(args)
    result = args[1] + args[2]
    return result
end

function add(x, y)
    result = x + y
    return result
end

function branch(x, y)
    if x > y
        result = x - y
    else
        result = y * 2
    end
    return result
end

function shout(x)
    result = uppercase(x) * "!"
    return result
end

function each_args(x, y)
    out = zeros(length(x))
    for i in 1:length(x)
        out[i] = add_args(Any[x[i], y[i]])
    end
    return out
end

function each_named(body, x, y)
    out = zeros(length(x))
    for i in 1:length(x)
        out[i] = body(x[i], y[i])
    end
    return out
end

function each_text(texts)
    out = Vector{String}(undef, length(texts))
    for i in 1:length(texts)
        out[i] = shout(texts[i])
    end
    return out
end

total(numbers::Vector{Float64}) = sum(numbers)
total(texts::Vector{String}) = Float64(sum(text -> length(text) + Int(text[1]), texts))

function main(rows)
    x = [0.5 * i for i in 0:rows-1]
    y = [Float64(i % 7) for i in 0:rows-1]
    texts = ["item $i" for i in 0:rows-1]
    loops = Dict("args" => () -> each_args(x, y), "named" => () -> each_named(add, x, y),
                 "branch" => () -> each_named(branch, x, y), "text" => () -> each_text(texts),
                 "vectors" => () -> x .+ y)
    for name in eachline(stdin)
        loop = loops[name]
        start = time_ns()
        out = loop()
        seconds = (time_ns() - start) / 1e9
        length(out) == rows || error("wrong length")
        println(seconds, " ", total(out))
        flush(stdout)
    end
end

main(parse(Int, ARGS[1]))
