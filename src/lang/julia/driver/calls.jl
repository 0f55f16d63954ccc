# Columns in, rows through the body, results out. SPDX-License-Identifier: MIT

# ---- Calls ----

# What SETUP said, and what was made of it.
mutable struct Job
    guest::Guest
    flags::Int
    types::Vector{Int}
    names::Vector{Symbol}   # of the arguments, in order; Symbol("") for one without
    body::String
    parameters::Vector{Any} # :args and names, those that the body says
    run::Any                # the body as a function; nothing: its statements are evaluated
    statements::Vector{Any}
    needs_eval::Bool
    words::Dict{Symbol,Any} # all names of the text
    defines::Vector{Any}    # functions of others that its methods may be of
    space::Module           # of the row under way, where statements are evaluated
    after::Any              # ends a row, or nothing
    ready::Int              # bits of READY
    serve::Any              # the compiled loop over calls, once there is one
    wear::Any               # of a worker that evaluates statements
    loops::Any              # of a vectorized body, once it ran
end

const STORED = Any[Float64, Bool, Text, Moment, UInt32]

find_module(name, uuid) = Base.require(Base.PkgId(Base.UUID(uuid), name))
find_random() = find_module("Random", "9a3f8284-a2c9-5f02-9a11-845980a1fd5c")
copy_generator(random) = copy(random.default_rng())
find_dates() = find_module("Dates", "ade2ca70-3891-5945-98fb-dc099432e06a")

# Of the parameters, in a row.
function parameter_types(job)
    types = Any[]
    for name in job.parameters
        name === :args && push!(types, Vector{Any})
        for k in 1:length(job.names)
            type = job.types[k]
            job.names[k] === name && push!(types, type == DATETIME ? find_dates().DateTime :
                                                  type == TEXT ? String : STORED[type])
        end
    end
    return types
end

# The arguments of a row.
function read_values(job, row)
    values = Any[]
    for k in 1:length(job.types)
        value = get_value(open_column(STORED[job.types[k]], job.guest, k), row)
        push!(values, job.types[k] == DATETIME ? make_datetime(value) : value)
    end
    return values
end

function make_datetime(value)
    dates = find_dates()
    return dates.DateTime(dates.UTM(value))
end

# The arguments that the body says; `args` is a vector of all.
function select_arguments(job, values)
    given = Any[]
    for name in job.parameters
        name === :args && push!(given, copy(values))
        for k in 1:length(values)
            job.names[k] === name && push!(given, values[k])
        end
    end
    return given
end

# One evaluation outside of the compiled loop.
function evaluate(job, values)
    given = select_arguments(job, values)
    job.run === nothing || return compiled(job.run, given...)
    set_compiled(true)
    value = run_statements(job, given)
    set_compiled(false)
    return value
end

function finish_row(job)
    job.after === nothing || call_latest(job.after)
    job.run === nothing && delete_methods(job)
    return nothing
end

# Row by row, interpreted but for the body.
function run_rows(job)
    guest = job.guest
    while guest.row < guest.rows && guest.outcome != DONE_WORN
        values = read_values(job, guest.row)
        write_value(guest, evaluate(job, values))
        end_one(job, VALUE)
    end
end

function end_one(job, status)
    finish_row(job)
    end_row(job.guest, status)
    note_wear(job)
    return nothing
end

function note_wear(job)
    job.wear !== nothing && is_worn(job.wear) && (job.guest.outcome = DONE_WORN)
    return nothing
end

is_vectorized(job) = job.flags & VECTORIZED != 0

function serve(job)
    guest = job.guest
    while true
        type = guest.in_call ? CALL : read_frame(guest)
        if type == COMPILE && job.ready & LAZY != 0
            more("compile", :compile_rows, job)
            job.ready &= ~LAZY
            return send_frame(guest, READY, job.ready)
        end
        guest.in_call || take_call(guest, type)
        if is_vectorized(job) && guest.row < guest.rows
            more("vectors", :run_vectorized, job)
        else
            run_rows(job)
        end
        end_call(guest)
    end
end

# One handler around all calls; what a body throws leaves the call under way, which goes on.
function serve_always(job)
    while true
        try
            job.serve === nothing ? serve(job) : compiled(job.serve, job.guest, job.run, job.after)
        catch failure
            set_compiled(false)
            job.guest.in_call || rethrow()
            more("failures", :fail, job, failure, catch_backtrace())
        end
    end
end
