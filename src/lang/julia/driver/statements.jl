# Bodies that are evaluated statement by statement. SPDX-License-Identifier: MIT

# ---- Body: as statements ----

# What `return` gives outside of a function; `value` is a tuple of one, or nothing.
struct Returned
    value::Any
end

is_own_scope(ex) = has_name(SCOPES, ex.head) || is_function(ex)

# Every block that assigns `result`, but for functions with a name, says that it is the body's.
function share_result(ex, is_inner)
    ex isa Expr || return ex
    ex.head in (:quote, :macro, :module, :struct) && return ex
    is_function(ex) && function_name(ex) !== nothing && return ex
    is_inner |= is_own_scope(ex)
    args = Any[share_result(arg, is_inner) for arg in ex.args]
    if ex.head === :block && is_inner
        assigned = add_assigned(Assigned(), ex)
        is_shared = has_name(assigned.plain, :result) && !has_name(assigned.locals, :result)
        is_shared && pushfirst!(args, Expr(:global, :result))
    end
    return Expr(ex.head, args...)
end

function hand_out_returns(ex)
    ex isa Expr || return ex
    is_other = is_function(ex) || ex.head === :-> || has_name(UNKNOWN, ex.head)
    is_other && ex.head !== :macrocall && return ex
    if ex.head === :return
        value = ex.args[1]
        boxed = value === nothing ? nothing : Expr(:call, tuple, hand_out_returns(value))
        return Expr(:return, Expr(:call, Returned, boxed))
    end
    return Expr(ex.head, Any[hand_out_returns(arg) for arg in ex.args]...)
end

const UNSCOPED = name_set("using import export module struct abstract primitive macro toplevel")

function prepare_statement(ex)
    ex isa Expr || return ex
    # All is global there, and within a block the word has no value.
    ex.head === :global && all(name -> name isa Symbol, ex.args) && return nothing
    has_name(UNSCOPED, ex.head) && return ex
    return Expr(:block, Expr(:softscope, true), hand_out_returns(share_result(ex, false)))
end

# What the compiler says of a statement before any is run, where that does not need the others.
function check_statement(space, ex, line)
    lowered = Meta.lower(space, ex)
    detail = is_expr(lowered, :error) ? lowered.args[1] : nothing
    if detail isa String
        message = replace(detail, r"^syntax: | around <function>:\d+$" => "")
        place = match(r" around <function>:(\d+)$", detail)
        throw(BadSyntax(message, place === nothing ? line : Base.parse(Int, place.captures[1])))
    end
end

function make_statements(statements)
    space, line, prepared = Module(:Body), 1, Any[]
    for statement in statements
        if statement isa LineNumberNode
            line = statement.line
            push!(prepared, statement)
        else
            check_statement(space, statement, line)
            push!(prepared, prepare_statement(strip_docs(statement)))
        end
    end
    return prepared
end

function run_statements(job, values)
    space = job.space = Module(:Body)
    for (name, value) in zip(job.parameters, values)
        Core.eval(space, Expr(:(=), name, QuoteNode(value)))
    end
    if job.needs_eval
        Core.eval(space, :(eval(x) = Core.eval($space, x)))
        Core.eval(space, :(include(path) = Base.include($space, path)))
    end
    line = LineNumberNode(1, Symbol(FILE))
    for statement in job.statements
        if statement isa LineNumberNode
            line = statement
            continue
        end
        value = Core.eval(space, Expr(:toplevel, line, statement))
        if value isa Returned
            value.value === nothing || return value.value[1]
            break
        end
    end
    return Base.invokelatest(read_result, space)
end

read_result(space) = isdefined(space, :result) ? getfield(space, :result) : fail_not_set()

# ---- Wear ----

# Julia never frees what it compiled, and statements are compiled anew for each row. Before that
# takes so much memory that a row would get the blame, the worker asks to be replaced.
mutable struct Wear
    rows::Int
    start::Int # bytes at the beginning
    limit::Int
    names::Int # in Main, where the text says `Main`, at the beginning
end

const WEAR_ROWS = 32 # at least, so that replacing takes no more time than they do
const WEAR_LIMIT = 96 << 20
const RLIMIT_DATA = 2

function memory_limit()
    limits = [typemax(UInt), typemax(UInt)]
    ccall(:getrlimit, Cint, (Cint, Ptr{UInt}), RLIMIT_DATA, limits)
    return limits[1]
end

count_names() = length(names(Main, all=true, imported=true))

function start_wear(job)
    limit = min(WEAR_LIMIT, div(compiled(memory_limit), 8))
    return Wear(0, Sys.maxrss(), limit, has_name(job.words, :Main) ? count_names() : 0)
end

# What a row defined in Main cannot be taken back, so that it ends with the worker.
function is_worn(wear)
    wear.rows += 1
    wear.names > 0 && count_names() != wear.names && return true
    return wear.rows >= WEAR_ROWS && Sys.maxrss() - wear.start > wear.limit
end

# ---- Body: methods of others ----

# Names of functions that the text may give methods to: Base.f(...) = ..., imported names, and all
# its names where a text can be evaluated.
function foreign_names(job, statements)
    has_any(job.words, DYNAMIC) && return collect(keys(job.words))
    found = Names()
    for statement in statements
        add_foreign(found, statement)
    end
    return collect(keys(found))
end

function add_foreign(found, ex)
    ex isa Expr || return nothing
    if is_function(ex)
        add_names(found, is_expr(signature_of(ex), :call) ? signature_of(ex).args[1] : nothing)
    elseif is_expr(ex, :macrocall)
        add_names(found, ex)
    end
    for arg in ex.args
        add_foreign(found, arg)
    end
end

# What the row added to functions of Julia's is taken from them.
function delete_methods(job)
    for name in job.defines
        value = isdefined(Base, name) ? getfield(Base, name) : nothing
        value isa Union{Function,Type} || continue
        for method in methods(value)
            method.module === job.space && Base.delete_method(method)
        end
    end
end
