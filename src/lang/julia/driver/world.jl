#: world
# What a row may change, and how it is given back before the next. SPDX-License-Identifier: MIT

# ---- The world: what a row may change and gets back ----

mutable struct World
    environment::Dict{String,String}
    directory::String
    streams::Any
    paths::Any
    has_own_tmp::Bool
    random::Any # the module Random, where the body draws, and
    state::Any  # that of its generator
    storage::Any # of this task
    logger::Any
    umask::Any   # where the body calls C
end

read_paths() = (copy(LOAD_PATH), copy(DEPOT_PATH), copy(ARGS))

# Whether /tmp is this worker's alone, so that all in it may be deleted: the host says so, and it is
# still empty.
function has_own_tmp(job)
    return job.flags & OWN_TMP != 0 && pwd() == "/tmp" && isempty(readdir("/tmp"))
end

function save_world(job)
    world = World(Dict{String,String}(ENV), pwd(), (stdin, stdout, stderr), read_paths(),
                  has_own_tmp(job), nothing, nothing, copy(task_local_storage()),
                  Base.CoreLogging.global_logger(), nothing)
    if has_any(job.words, ANYTHING)
        world.umask = set_umask(0)
        set_umask(world.umask)
    end
    if has_any(job.words, DRAWS * TEMPORARY) || is_hiding(job.words)
        world.random = find_random()
        Base.invokelatest(world.random.seed!, 0)
        world.state = Base.invokelatest(copy_generator, world.random)
    end
    return world
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

reset_directory(world) = pwd() == world.directory || cd(world.directory)

function reset_streams(world)
    stdin === world.streams[1] || redirect_stdin(world.streams[1])
    stdout === world.streams[2] || redirect_stdout(world.streams[2])
    stderr === world.streams[3] || redirect_stderr(world.streams[3])
    Base.Libc.flush_cstdio()
end

function reset_paths(world)
    for (list, saved) in zip((LOAD_PATH, DEPOT_PATH, ARGS), world.paths)
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

lowest_descriptor() = ccall(:dup, Cint, (Cint,), 0)
close_descriptor(fd) = ccall(:close, Cint, (Cint,), fd)

# The lowest free number tells how many are in use.
function has_many_descriptors()
    fd = lowest_descriptor()
    fd < 0 || close_descriptor(fd)
    return !(0 <= fd < DESCRIPTORS_LIMIT)
end

const DESCRIPTORS_LIMIT = 64 # a quarter of those that a process can have

# What nothing refers to any more is closed by the garbage collector, that of young objects mostly.
function reset_descriptors(world)
    has_many_descriptors() && GC.gc(false)
    has_many_descriptors() && GC.gc()
end

reset_storage(world) = merge!(empty!(task_local_storage()), world.storage)

# LogLevel(-1000) is the least that anyone logs. A logger counts what it says `maxlog` times.
function reset_loggers(world)
    logger = world.logger
    Base.CoreLogging.global_logger(logger)
    Base.CoreLogging.disable_logging(Base.CoreLogging.LogLevel(-1001))
    hasfield(typeof(logger), :message_limits) && empty!(logger.message_limits)
end

set_umask(mask) = ccall(:umask, Cint, (Cint,), mask)
reset_umask(world) = set_umask(world.umask)

reset_generator(world) = copy!(world.random.default_rng(), world.state)

# Which words reach what.
const RESETS = (
    DESCRIPTORS => reset_descriptors, # first: others open some
    ENVIRONMENT => reset_environment,
    FOLDERS => reset_directory,
    STREAMS => reset_streams,
    PATHS => reset_paths,
    PRECISION => reset_numbers,
    FILES => reset_files,
    TASKS => reset_storage,
    LOGGERS => reset_loggers,
    CALLS => reset_umask,
)

# What ends a row; nothing for a body whose text reaches nothing. What one reset cannot undo does
# not keep the others from it.
function make_after(job)
    world = save_world(job)
    is_wide = has_any(job.words, ANYTHING)
    resets = Any[reset for (words, reset) in RESETS if is_wide || has_any(job.words, words)]
    world.random === nothing || push!(resets, reset_generator)
    isempty(resets) && return nothing
    if length(resets) == 1 && resets[1] === reset_generator
        return make_seeding(world.random.default_rng, world.state)
    end
    return function ()
        for reset in resets
            try
                reset(world)
            catch
            end
        end
    end
end

function make_seeding(generator, state)
    return () -> copy!(generator(), state)
end
