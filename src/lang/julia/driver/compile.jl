#: compile
# The loop over rows as one piece with the body. SPDX-License-Identifier: MIT

# ---- Calls: compiled ----

# The value of an argument as an expression of the loop.
function read_expression(type, column)
    value = :(get_value($column, guest.row))
    type == DATETIME || return value
    dates = find_dates()
    return :($(dates.DateTime)($(dates.UTM)($value)))
end

# What needs no conversion is stored on the spot.
function store_expression(type)
    type == NUMBER && return :(value isa Float64 ? write_slot(guest, value) :
                               value isa Int64 ? write_slot(guest, Float64(value)) :
                               OTHER[1](guest, value))
    type == BOOLEAN && return :(value isa Bool ? write_slot(guest, Int64(value)) :
                                OTHER[1](guest, value))
    return :(write_value(guest, value))
end

# The loop over calls and rows, made for the function's types, so that it compiles into one piece
# with the body. It is left when the body throws, with guest.row at that row.
function make_serve(job)
    opened, read, given, all_values = Any[], Any[], Any[], Any[]
    needs_all = has_name(job.words, :args)
    for k in 1:length(job.types)
        column, value = Symbol("column" * string(k)), Symbol("value" * string(k))
        push!(all_values, value)
        if needs_all || has_name(job.words, job.names[k])
            push!(opened, :($column = open_column($(STORED[job.types[k]]), guest, $k)))
            push!(read, :($value = $(read_expression(job.types[k], column))))
        end
    end
    for name in job.parameters
        name === :args && push!(given, Expr(:ref, :Any, all_values...))
        for k in 1:length(job.names)
            job.names[k] === name && push!(given, all_values[k])
        end
    end
    ended = job.after === nothing ? nothing : :(after())
    return :(function (guest, body, after)
        while true
            guest.in_call || begin_call(guest)
            $(opened...)
            while guest.row < guest.rows
                $(read...)
                value = body($(given...))
                $(store_expression(job.guest.return_type))
                $ended
                end_row(guest, VALUE)
            end
            end_call(guest)
        end
    end)
end

# A row's slot is to be seen before its status: a store that releases.
const OLD_WRITE_STATUS = """
write_status(place, status) = Base.llvmcall(
    \"\"\"%place = inttoptr i64 %0 to i8*
    store atomic i8 %1, i8* %place release, align 1
    ret void\"\"\", Cvoid, Tuple{UInt64,UInt8}, UInt64(place), status)
"""

const WRITE_STATUS = """
write_status(place, status) = Core.Intrinsics.atomic_pointerset(place, status, :release)
"""

# The part named rows once more, in a module that is compiled.
function compile_rows(job)
    space = keep_space(Module(:ExtfnRows))
    Core.eval(space, :(using Main.ExtfnDriver: Guest, Unfit, Column, Text, Moment))
    include_string(space, VERSION < v"1.7" ? OLD_WRITE_STATUS : WRITE_STATUS)
    include_string(space, read_part("rows"))
    if is_vectorized(job)
        return more("vectors", :compile_loops, job, space)
    end
    # Behind a variable, so that it is compiled when it is called, which is seldom.
    Core.eval(space, :(const OTHER = Any[write_value]))
    job.serve = Core.eval(space, make_serve(job))
    compiled(precompile, job.serve, (Guest, typeof(job.run), typeof(job.after)))
    return nothing
end
