# From the statements of a body to what evaluates a row. SPDX-License-Identifier: MIT

# ---- Body: as a function ----

# In the *function form* definitions that need nothing of a row are evaluated once, in a module, and
# all other statements are those of a function. In the *statement form* every row has a module of
# its own, in which the statements are evaluated one by one as at Julia's prompt. The second serves
# every body; the first is a thousand times faster and serves where nobody can tell the difference.

mutable struct Draft
    space::Module
    definitions::Vector{Any} # types and methods that are evaluated once, in order
    functions::Vector{Any}   # these too, but for those that need the row's variables
    statements::Vector{Any}  # all others, and the functions
    imported::Names # names of functions of others that may get methods
    types::Names   # names of types of its own
    known::Names   # names that stood in the text so far
end

is_import(ex) = is_expr(ex, :using) || is_expr(ex, :import)

strip_docs(ex) = is_expr(ex, :macrocall) && ex.args[1] == GlobalRef(Core, Symbol("@doc")) &&
                 length(ex.args) >= 4 ? ex.args[4] : ex

has_macro(ex) = ex isa Expr && (ex.head === :macrocall || any(has_macro, ex.args))

# FALSE: the function form will not do.
function add_statement(draft, ex)
    ex = strip_docs(ex)
    if has_macro(ex) && !is_expr(ex, :macro)
        ex = macroexpand(draft.space, ex)
    end
    if is_expr(ex, :block) || is_expr(ex, :toplevel)
        return all(item -> add_statement(draft, item), ex.args)
    end
    is_certain = add_kind(draft, ex)
    add_names(draft.known, ex)
    return is_certain
end

is_run(ex) = !(ex isa LineNumberNode || is_function(ex))
has_run(draft) = any(is_run, draft.statements)

function add_kind(draft, ex)
    if is_import(ex) || is_expr(ex, :macro)
        note_imported(draft, ex)
        Core.eval(draft.space, ex)
        is_expr(ex, :macro) && push!(draft.definitions, ex)
    elseif is_expr(ex, :struct) || is_expr(ex, :abstract) || is_expr(ex, :primitive)
        name = type_name(ex)
        has_name(draft.known, name) && return false
        draft.types[name] = true
        push!(draft.definitions, ex)
    elseif is_function(ex) && !is_expr(signature_of(ex), :tuple)
        return add_function(draft, ex)
    elseif is_expr(ex, :module) || is_expr(ex, :export)
        return is_expr(ex, :export)
    else
        push!(draft.statements, ex)
    end
    return true
end

function note_imported(draft, ex)
    is_expr(ex, :import) || return nothing
    for path in (is_expr(ex.args[1], :(:)) ? ex.args[1].args[2:end] : ex.args)
        path isa Expr && path.args[end] isa Symbol && (draft.imported[path.args[end]] = true)
    end
end

function type_name(ex)
    head = is_expr(ex, :struct) ? ex.args[2] : ex.args[1]
    head = is_expr(head, :<:) ? head.args[1] : head
    return is_expr(head, :curly) ? head.args[1] : head
end

# A method of a function of others must be for a type of the body's, else all Julia meets it.
function add_function(draft, ex)
    name = function_name(ex)
    if name === nothing || has_name(draft.imported, name)
        has_run(draft) && return false
        signature = names_of(ex.args[1])
        any(type -> has_name(signature, type), keys(draft.types)) || return false
        push!(draft.definitions, ex)
    elseif has_run(draft) && has_name(draft.known, name)
        return false
    end
    if name !== nothing && !has_name(draft.imported, name)
        push!(draft.functions, ex)
        push!(draft.statements, ex)
    end
    return true
end

# Names in a function but those that are its own all over.
function free_names(ex)
    names = names_of(ex)
    own = add_parameters(Names(), ex.args[1])
    assigned = length(ex.args) > 1 ? add_assigned(Assigned(), ex.args[2]) : Assigned()
    for set in (own, assigned.plain, assigned.locals), name in keys(set)
        has_name(assigned.globals, name) || delete!(names, name)
    end
    add_globals(names, ex)
    return names
end

is_independent(ex, variables) = !any(name -> has_name(variables, name), keys(free_names(ex)))

function is_independent_type(ex, variables)
    is_expr(ex, :struct) || return !has_any_of(names_of(ex), variables)
    has_any_of(names_of(ex.args[2]), variables) && return false
    for field in ex.args[3].args
        field = is_expr(field, :const) ? field.args[1] : field
        if is_function(field)
            is_independent(field, variables) || return false
        elseif field isa Expr
            type = is_expr(field, :(::)) ? field.args[2] : field
            has_any_of(names_of(type), variables) && return false
        end
    end
    return true
end

has_any_of(names, variables) = any(name -> has_name(variables, name), keys(names))

# Which functions need the row's variables, and so are closures among the statements.
function find_closures(functions, variables)
    closures = Names()
    has_grown = true
    while has_grown
        has_grown = false
        for ex in functions
            name = function_name(ex)
            if !has_name(closures, name) && !is_independent(ex, variables)
                closures[name] = variables[name] = has_grown = true
            end
        end
    end
    return closures
end

# The names of the body's own level: what it assigns there or declares global anywhere.
function top_names(draft, is_without_functions, parameters)
    is_counted(ex) = !(is_without_functions && is_function(ex))
    assigned = Assigned()
    for ex in draft.statements
        is_counted(ex) && add_assigned(assigned, ex)
        add_globals(assigned.globals, ex)
    end
    top = merge!(assigned.plain, assigned.globals, assigned.locals)
    for name in parameters
        top[name] = true
    end
    top[:result] = true
    return top
end

function is_same_as_function(draft, top, parameters)
    scan = Scan(top, Names(), Names(), true)
    for name in parameters
        scan.seen[name] = scan.sure[name] = true
    end
    scan_all(scan, nothing, draft.statements, true)
    return scan.is_same
end

# What only a script can say: `const`, `global`, and a bare `return`, which ends the body with
# `result` as it is then.
function make_local(ex, is_inner=false)
    ex isa Expr || return ex
    if ex.head === :quote || ex.head === :inert
        return ex
    elseif ex.head === :const || ex.head === :global
        kept = Any[make_local(arg, is_inner) for arg in ex.args if arg isa Expr]
        return length(kept) == 1 ? kept[1] : Expr(:block, kept...)
    elseif ex.head === :return && !is_inner && ex.args[1] === nothing
        return Expr(:return, Expr(:block, ending()...))
    end
    is_inner = is_inner || is_function(ex) || ex.head === :-> || ex.head === :do
    return Expr(ex.head, Any[make_local(arg, is_inner) for arg in ex.args]...)
end

# nothing: only the statement form will do.
function make_function(statements, names, parameters)
    has_any(names, DYNAMIC) && return nothing
    draft = Draft(keep_space(Module(:Body)), Any[], Any[], Any[], Names(), Names(), Names())
    all(statement -> add_statement(draft, statement), statements) || return nothing
    closures = find_closures(draft.functions, top_names(draft, true, parameters))
    is_closure(ex) = has_name(closures, function_name(ex))
    is_moved(ex) = any(moved -> moved === ex, draft.functions) && !is_closure(ex)
    filter!(!is_moved, draft.statements)
    top = top_names(draft, false, parameters)
    is_same_as_function(draft, top, parameters) || return nothing
    for definition in draft.definitions
        is_whole = is_function(definition) ? is_independent : is_independent_type
        is_whole(definition, top) || return nothing
    end
    for definition in draft.definitions
        is_expr(definition, :macro) || Core.eval(draft.space, definition)
    end
    for definition in draft.functions
        is_closure(definition) || Core.eval(draft.space, definition)
    end
    locals = Any[name for name in keys(top) if !(name in parameters)]
    code = Any[make_local(statement) for statement in draft.statements]
    return Core.eval(draft.space, function_of(code, locals, parameters))
end

# ---- Body: all that is not plain ----

# What goes wrong here goes wrong once more when the statements are evaluated, and is told then.
function try_function(statements, names, parameters)
    try
        return make_function(statements, names, parameters)
    catch
        return nothing
    end
end

function compile_other(job, statements)
    if has_any(job.words, REACHING)
        job.after = more("world", :make_after, job)
    end
    job.run = try_function(statements, job.words, job.parameters)
    if job.run === nothing
        job.parameters = Any[name for name in Any[:args; job.names] if name !== Symbol("")]
        job.needs_eval = has_any(job.words, DYNAMIC)
        job.defines = foreign_names(job, statements)
        job.statements = make_statements(statements)
    end
    job.after === nothing || call_latest(job.after)
    return nothing
end
