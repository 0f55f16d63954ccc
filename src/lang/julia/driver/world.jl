# What a row may change, and how it is given back before the next. SPDX-License-Identifier: MIT

# ---- The world: what a row may change and gets back ----

mutable struct World
    environment::Dict{String,String}
    directory::String
    streams::Tuple
    lists::Tuple
    has_own_tmp::Bool
    random::Any # the module Random, where the body draws
end

list_values() = (copy(LOAD_PATH), copy(DEPOT_PATH), copy(ARGS))

function save_world(has_own_tmp, draws)
    directory = pwd()
    is_own = has_own_tmp && directory == "/tmp" && isempty(readdir("/tmp"))
    random = draws ? find_module("Random", "9a3f8284-a2c9-5f02-9a11-845980a1fd5c") : nothing
    return World(Dict{String,String}(ENV), directory, (stdin, stdout, stderr), list_values(), is_own, random)
end

function reset_environment(world)
    environment = Dict{String,String}(ENV)
    environment == world.environment && return nothing
    for name in keys(environment)
        haskey(world.environment, name) || delete!(ENV, name)
    end
    for (name, value) in world.environment
        ENV[name] = value
    end
end

function reset_streams(world)
    stdin === world.streams[1] || redirect_stdin(world.streams[1])
    stdout === world.streams[2] || redirect_stdout(world.streams[2])
    stderr === world.streams[3] || redirect_stderr(world.streams[3])
end

function reset_lists(world)
    for (list, saved) in zip((LOAD_PATH, DEPOT_PATH, ARGS), world.lists)
        list == saved || copy!(list, saved)
    end
end

function reset_numbers(world)
    setprecision(BigFloat, 256)
    setrounding(BigFloat, RoundNearest)
    set_zero_subnormals(false)
end

# Opens folders before it looks into them.
function empty_folder(path)
    for name in readdir(path)
        inner = joinpath(path, name)
        if isdir(inner) && !islink(inner)
            chmod(inner, 0o700)
            empty_folder(inner)
        end
        rm(inner)
    end
end

reset_files(world) = world.has_own_tmp && empty_folder("/tmp")

reset_directory(world) = pwd() == world.directory || cd(world.directory)

const RESETS = (reset_environment, reset_directory, reset_streams, reset_lists, reset_numbers, reset_files)

# Each by itself: what one cannot undo shall not keep the others from it.
function reset_world(world)
    for reset in RESETS
        try
            reset(world)
        catch
        end
    end
end

seed_generator(world) = world.random.seed!(0)

# What ends a row; nothing for a body whose text reaches nothing of that.
function make_after(world, names)
    is_loud = has_any(names, LOUD)
    draws = world.random !== nothing
    is_loud || draws || return nothing
    return function ()
        is_loud && reset_world(world)
        draws && seed_generator(world)
        return nothing
    end
end

# Methods that the row added to functions of Julia's, found by the names in its text.
function delete_methods(job)
    for name in keys(job.words)
        isdefined(Base, name) || continue
        value = getfield(Base, name)
        value isa Union{Function,Type} || continue
        for method in methods(value)
            method.module === job.space && Base.delete_method(method)
        end
    end
end
