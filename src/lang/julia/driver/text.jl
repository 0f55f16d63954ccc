# What a body says: its statements and names, and whether it is plain. SPDX-License-Identifier: MIT

# What stands in this file from the line after `#: NAME` to the next `#:`.
function read_part(name)
    text = read_program()
    start = last(findfirst("\n#: " * name * "\n", text))
    return text[start:first(findnext("\n#: ", text, start))]
end

function read_program()
    try
        return read(PROGRAM_FILE, String)
    catch
        GC.gc() # closes the files that a row has left open, maybe all that a process can have
        return read(PROGRAM_FILE, String)
    end
end

const LOADED = Set{Any}() # names of parts

function load(part)
    if !(part in LOADED)
        push!(LOADED, part)
        include_string(ExtfnDriver, read_part(part))
    end
    return nothing
end

# Calls a function of a part. One that is there already when a body with methods of its own starts
# (serve_statements) is what it was then, all its life.
function more(part, name, args...)
    load(part)
    return call_latest(getfield(ExtfnDriver, name), args...)
end

call_latest(f, args...) = "fixed" in LOADED ? f(args...) : Base.invokelatest(f, args...)

# Nothing overtakes anything where the interpreter stores.
write_status(place, status) = unsafe_store!(place, status)

# ---- Words: " a b " ----

# With these a body could tell a function from a script, or do what a function cannot.
const DYNAMIC = " eval @eval include include_string evalfile @__MODULE__ Main @macroexpand " *
                "macroexpand @isdefined isdefined invokelatest @generated delete_method names " *
                "@code_lowered @code_typed @doc methods which @which getglobal setglobal! "

const DRAWS = " rand randn randexp rand! randn! randexp! randstring shuffle shuffle! randperm " *
              "randperm! randcycle randcycle! randsubseq randsubseq! bitrand sprand sprandn " *
              "Random RandomDevice MersenneTwister GLOBAL_RNG default_rng TaskLocalRNG Xoshiro " *
              "uuid1 uuid4 "

# With these and `Symbol` a body can call what its text does not name: random numbers too.
const HIDING = " getfield getproperty "

is_hiding(names) = has_any(names, DYNAMIC) || (has_any(names, HIDING) && has_name(names, :Symbol))

# Names of temporary files are drawn as well.
const TEMPORARY = " tempname mktemp mktempdir "

# These reach what outlives a row; all others change nothing for the next by their usual means.
const ENVIRONMENT = " ENV withenv "
const FOLDERS = " cd "
const STREAMS = " redirect_stdout redirect_stderr redirect_stdin close ccall @ccall "
const PATHS = " LOAD_PATH DEPOT_PATH ARGS "
const PRECISION = " setprecision setrounding set_zero_subnormals "
const FILES = " open write touch mkdir mkpath mktemp mktempdir cp mv rm chmod chown symlink " *
              "hardlink truncate download writedlm serialize "
const DESCRIPTORS = FILES * " listen connect Pipe link_pipe! "
const TASKS = " task_local_storage current_task "
const LOGGERS = " global_logger disable_logging Logging maxlog "
const CALLS = " ccall @ccall "
const ANYTHING = " eval @eval include Core Base Main ccall @ccall cglobal unsafe_store! " *
                 "unsafe_pointer_to_objref parentmodule Libdl Mmap Serialization FileWatching " *
                 "Pkg Libc invokelatest atexit global_logger disable_logging Logging " *
                 "PROGRAM_FILE "

const REACHING = DYNAMIC * DRAWS * HIDING * TEMPORARY * ENVIRONMENT * FOLDERS * STREAMS * PATHS *
                 PRECISION * DESCRIPTORS * TASKS * LOGGERS * ANYTHING

# ---- Body: what its text says ----

const FILE = "<function>"

is_expr(ex, head) = ex isa Expr && ex.head === head
is_failed(ex) = is_expr(ex, :error) || is_expr(ex, :incomplete)

function read_text(text)
    if startswith(text, "\ufeff")
        text = text[4:end]
    end
    if occursin("\r", text)
        text = replace(replace(text, "\r\n" => "\n"), "\r" => "\n")
    end
    if occursin("\0", text)
        more("failures", :refuse_nul, text)
    end
    return text
end

function parse_body(text)
    tree = Base.parse_input_line(text; filename=FILE)
    tree === nothing && return Any[]
    statements = is_expr(tree, :toplevel) ? tree.args : Any[tree]
    for statement in statements
        is_failed(statement) && more("failures", :refuse_syntax, text, statement)
    end
    return statements
end

# All names in a tree, also those that are fields, texts of symbols and macros.
function add_names(names, ex)
    if ex isa Symbol
        names[ex] = true
    elseif ex isa QuoteNode
        add_names(names, ex.value)
    elseif ex isa GlobalRef
        names[ex.name] = true
    elseif ex isa Expr
        for arg in ex.args
            add_names(names, arg)
        end
    end
    return names
end

const Names = Dict{Symbol,Any}

names_of(ex) = add_names(Names(), ex)
has_name(names, name) = name isa Symbol && haskey(names, name)

# `words` has a space before and after each.
function has_any(names, words)
    for name in keys(names)
        occursin(" " * String(name) * " ", words) && return true
    end
    return false
end

# ---- Body: whether it is plain ----

# Most are: assignments at the body's own level, calls, branches. Nothing in such a body can tell
# the locals of a function from the globals of a script, but for a variable that is read before it
# is assigned.
const PLAIN_HEADS = " call = += -= *= /= ^= ÷= %= if elseif && || block ref . tuple vect " *
                    "comparison string curly :: kw hcat vcat row ' ... parameters return "

# Stands among the variables when `result` was assigned in any case.
const SURE_RESULT = Symbol("result is set")

# `seen` are the variables that were assigned, `unseen` those that were read as something else.
function is_plain(ex, seen, unseen)
    if ex isa Symbol
        ex === :result && !has_name(seen, SURE_RESULT) && return false
        has_name(seen, ex) || (unseen[ex] = true)
    elseif ex isa Expr
        head = ex.head
        occursin(" " * String(head) * " ", PLAIN_HEADS) || return false
        if head === :return
            return ex.args[1] !== nothing && is_plain(ex.args[1], seen, unseen)
        elseif head === :kw
            return is_plain(ex.args[2], seen, unseen)
        elseif length(ex.args) == 2 && ex.args[1] isa Symbol && endswith(String(head), "=")
            return is_plain_assignment(ex, seen, unseen)
        elseif head === :(=) || head === :tuple && any(arg -> is_expr(arg, :(=)), ex.args)
            return is_expr(ex.args[1], :ref) && is_all_plain(ex.args, seen, unseen)
        end
        return is_all_plain(ex.args, seen, unseen)
    end
    return true
end

function is_all_plain(items, seen, unseen)
    for item in items
        is_plain(item, seen, unseen) || return false
    end
    return true
end

function is_plain_assignment(ex, seen, unseen)
    name = ex.args[1]
    is_plain(ex.args[2], seen, unseen) || return false
    ex.head === :(=) || is_plain(name, seen, unseen) || return false
    seen[name] = true
    return !has_name(unseen, name)
end

# ---- Body: as a function ----

# What `result` is before the body sets it. (Not a variable without a value: Julia 1.5 crashes on
# one that may become several types.)
struct Unset end

fail_not_set() = throw(Unfit(:unset, nothing))
ending() = Any[Expr(:||, Expr(:call, !==, :result, Unset()), Expr(:call, fail_not_set)), :result]

# An anonymous function of the parameters. The locals are told, as a loop may be the first to assign
# one that is declared global there.
function function_of(statements, locals, parameters)
    code = Expr(:block, Expr(:local, locals...), Expr(:(=), :result, Unset()), statements...,
                ending()...)
    return Expr(:->, Expr(:tuple, parameters...), code)
end

const USE_BASE = Expr(:using, Expr(:., :Base))

# The collector finds no type by an object of it: what a body made stays as long as its module is
# known.
const SPACES = Module[]

function keep_space(space)
    push!(SPACES, space)
    return space
end

make_module() = Core.eval(Main, Expr(:module, false, :Body, Expr(:block, USE_BASE)))

# nothing: it is not plain.
function make_plain_function(statements, names, parameters)
    seen, unseen = Names(), Names()
    for name in parameters
        seen[name] = true
    end
    has_any(names, REACHING) && return nothing
    for statement in statements
        is_plain(statement, seen, unseen) || return nothing
        is_expr(statement, :(=)) && statement.args[1] === :result && (seen[SURE_RESULT] = true)
    end
    return Core.eval(make_module(), function_of(statements, Any[:result], parameters))
end
