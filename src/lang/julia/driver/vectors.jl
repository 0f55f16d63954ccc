#: vectors
# Columns as vectors. SPDX-License-Identifier: MIT

# ---- Vectorized ----

# What goes over whole columns (the part named columns): interpreted, until many rows come.
struct Loops
    open_slots::Any
    read_columns::Any
    check_result::Any
    is_same::Any
    store_column::Any
    convert::Any         # a result into what the slot holds
    types::Vector{Any}   # of each argument: what is stored
    makes::Vector{Any}   # of each argument: what makes it of that
    empties::Vector{Any} # of each argument: a vector of what the body is given, without any
    alone::Any           # the result of one row
    is_compiled::Bool
    is_drawing::Bool # the text says so
    is_hiding::Bool  # the text does not tell
end

const SLOT = Any[Float64, Int64, String, Int64, Int64]
const CONVERT = (:convert_number, :convert_boolean, :convert_text, :convert_datetime, :convert_enum)

function make_loops(job, space, is_compiled)
    include_string(space, read_part("columns"))
    types, makes, empties = Any[], Any[], Any[]
    for type in job.types
        make, element = identity, type == TEXT ? String : STORED[type]
        if type == DATETIME
            dates = find_dates()
            make = Core.eval(space, :(value -> $(dates.DateTime)($(dates.UTM)(value))))
            element = dates.DateTime
        end
        push!(types, STORED[type])
        push!(makes, make)
        push!(empties, element[])
    end
    convert = Core.eval(space, CONVERT[job.guest.return_type])
    job.loops = Loops(getfield(space, :open_slots), getfield(space, :read_columns),
                      getfield(space, :check_result), getfield(space, :is_same),
                      getfield(space, :store_column), convert, types, makes, empties,
                      Vector{SLOT[job.guest.return_type]}(undef, 1), is_compiled,
                      has_any(job.words, DRAWS), is_hiding(job.words))
    return job.loops
end

# Compiles them, as one piece with the body where that can be: when all is known before a call.
function compile_loops(job, space)
    loops = make_loops(job, space, true)
    compiled(getfield(space, :keep_memory))
    if job.run === nothing || loops.is_drawing || loops.is_hiding
        return compile_each(job, space, loops)
    end
    include_string(space, read_part("whole"))
    job.serve = Core.eval(space, make_serve_columns(job, loops))
    compiled(precompile, job.serve, (Guest, typeof(job.run), typeof(job.after)))
    return nothing
end

# One by one, for what a plain body is given and gives.
function compile_each(job, space, loops)
    slot, column = SLOT[job.guest.return_type], STORED[job.guest.return_type]
    compiled(precompile, loops.open_slots, (Type{slot}, Guest, Int))
    compiled(precompile, loops.read_columns,
             (Vector{Any}, Vector{Any}, Vector{Any}, Guest, Int, Int))
    for k in 1:length(job.types)
        compiled(precompile, getfield(space, :read_column),
                 (typeof(loops.empties[k]), typeof(loops.makes[k]), Type{loops.types[k]},
                  Guest, Int, Int, Int))
    end
    given = column === Text ? String : column === Moment ? find_dates().DateTime : column
    compiled(precompile, loops.check_result,
             (Vector{slot}, typeof(loops.convert), Guest, Vector{given}))
    compiled(precompile, loops.store_column, (Guest, Vector{slot}))
    return nothing
end

# The loop over calls, made for the function's types like the one over rows.
function make_serve_columns(job, loops)
    whole, whole_given = read_expressions(job, loops, "column", 0, :(guest.rows - 1))
    alone, alone_given = read_expressions(job, loops, "row", :row, :row)
    ended = job.after === nothing ? nothing : :(after())
    return :(function (guest, body, after)
        while true
            guest.in_call || begin_call(guest)
            if guest.row < guest.rows
                values = open_slots($(SLOT[job.guest.return_type]), guest, guest.rows)
                $(whole...)
                check_result(values, $(loops.convert), guest, body($(whole_given...)))
                $ended
                for row in (guest.rows > 1 ? (0:guest.rows-1:guest.rows-1) : (0:1:-1))
                    $(alone...)
                    check_result($(loops.alone), $(loops.convert), guest, body($(alone_given...)))
                    $ended
                    is_same(values[row+1], $(loops.alone)[1]) || throw(Unfit(:differs, row))
                end
                store_column(guest, values)
            end
            end_call(guest)
        end
    end)
end

# What makes the vectors that the body says, and what it is given of them.
function read_expressions(job, loops, name, first, last)
    needs_all = :args in job.parameters
    columns = [Symbol(name, k) for k in 1:length(loops.empties)]
    read, given = Any[], Any[]
    for k in 1:length(columns)
        if needs_all || job.names[k] in job.parameters
            push!(read, :($(columns[k]) = read_column($(loops.empties[k]), $(loops.makes[k]),
                                                      $(loops.types[k]), guest, $k, $first, $last)))
        end
    end
    for name in job.parameters
        name === :args && push!(given, Expr(:ref, :Any, columns...))
        for k in 1:length(columns)
            job.names[k] === name && push!(given, columns[k])
        end
    end
    return read, given
end

function call_loop(loops, f, args...)
    loops.is_compiled && set_compiled(true)
    value = call_latest(f, args...)
    set_compiled(false)
    return value
end

function read_columns(job, first, last)
    loops = job.loops
    return call_loop(loops, loops.read_columns, loops.empties, loops.makes, loops.types, job.guest,
                     first, last)
end

refuse_draws() = throw(Unfit(:draws, nothing))

# Whether random numbers were drawn is seen by the generator, where the text does not tell.
function evaluate_columns(job, columns, values)
    is_hiding = job.loops.is_hiding
    before = is_hiding ? call_latest(copy_generator, find_random()) : nothing
    result = evaluate(job, columns)
    is_hiding && call_latest(copy_generator, find_random()) != before && refuse_draws()
    call_loop(job.loops, job.loops.check_result, values, job.loops.convert, job.guest, result)
    finish_row(job)
    return nothing
end

function run_vectorized(job)
    guest = job.guest
    loops = job.loops === nothing ? make_loops(job, ExtfnDriver, false) : job.loops
    loops.is_drawing && refuse_draws()
    rows = guest.rows
    slot = SLOT[guest.return_type]
    values = call_loop(loops, loops.open_slots, slot, guest, rows)
    evaluate_columns(job, read_columns(job, 0, rows - 1), values)
    for row in (rows > 1 ? (0, rows - 1) : ())
        evaluate_columns(job, read_columns(job, row, row), loops.alone)
        is_same = call_latest(loops.is_same, values[row+1], loops.alone[1])
        is_same || throw(Unfit(:differs, row))
    end
    call_loop(loops, loops.store_column, guest, values)
    note_wear(job)
end

#: columns

# The slots of the call as a vector.
open_slots(::Type{T}, guest, rows) where {T} =
    unsafe_wrap(Vector{T}, Ptr{T}(guest.reply + slots_offset(guest.rows)), rows)

# Texts stand in the heap, which may be too small for all: their place is known later.
open_slots(::Type{String}, guest, rows) = Vector{String}(undef, rows)

# New vectors in each call: what a body has made of the last ones may share their memory.
function read_columns(empties, makes, types, guest, first, last)
    columns = Vector{Any}(undef, length(empties))
    for k in 1:length(empties)
        columns[k] = read_column(empties[k], makes[k], types[k], guest, k, first, last)
    end
    return columns
end

function read_column(empty, make, ::Type{T}, guest, k, first, last) where {T}
    column = open_column(T, guest, k)
    values = similar(empty, last - first + 1)
    for row in first:last
        values[row-first+1] = make(get_value(column, row))
    end
    return values
end

is_same(left, right) = left === right || (left != left && right != right)

function check_result(values, convert, guest, result)
    result isa AbstractVector || throw(Unfit(:column, result))
    rows = length(result), length(values)
    rows[1] == rows[2] || throw(Unfit(:size, rows))
    check_column(values, convert, guest, result)
end

function check_column(values, convert, guest, results)
    k = 0
    for result in results
        values[k+=1] = convert(guest, result)
    end
end

function store_column(guest, values::Vector{String})
    for value in values
        write_text(guest, value)
        end_row(guest, VALUE)
    end
end

# They are in their slots.
function store_column(guest, values)
    for _ in values
        end_row(guest, VALUE)
    end
end

# Has malloc keep what it once had: a page that it gives back costs more to get again than filling
# it with a column. The first is M_TRIM_THRESHOLD, the second M_MMAP_THRESHOLD.
function keep_memory()
    ccall(:mallopt, Cint, (Cint, Cint), -1, 32 << 20)
    ccall(:mallopt, Cint, (Cint, Cint), -3, 32 << 20)
end

#: whole

# What columns of many rows are worth: all at once what needs no look.
function read_column(empty::Vector{T}, ::typeof(identity), ::Type{T}, guest, k, first,
                     last) where {T<:Union{Float64,UInt32}}
    column = open_column(T, guest, k)
    values = similar(empty, last - first + 1)
    unsafe_copyto!(pointer(values), Ptr{T}(column.values) + sizeof(T) * first, length(values))
    return values
end

function check_column(values::Vector{Float64}, convert, guest, results::Vector{Float64})
    copyto!(values, results)
    return nothing
end

# They are in their slots: to be seen before the statuses.
function store_column(guest, values::Union{Vector{Float64},Vector{Int64}})
    Threads.atomic_fence()
    place = guest.reply + (MAP_START + guest.row)
    ccall(:memset, Ptr{Cvoid}, (Ptr{UInt8}, Cint, Csize_t), place, VALUE, guest.rows - guest.row)
    guest.row = guest.rows
    return nothing
end
