# Whether a function would do the same as statements one by one. SPDX-License-Identifier: MIT

# ---- Body: scopes ----

# The statements of a body mean what they mean at Julia's prompt, one after the other, but that
# `result` is the body's also where a loop, a `let`, a `try` or a function without a name assigns
# it. In a function a name belongs to the whole; at the prompt what a `let` or a helper function
# assigns is its own, and a loop assigns only a name that is there already. Where that could make a
# difference, is_same becomes false.
mutable struct Scan
    top::Names  # names that the body's own level assigns
    seen::Names # those assigned by now
    sure::Names # and whatever branch was taken
    is_same::Bool
end

struct Scope
    kind::Symbol # soft, hard, lambda or function
    names::Names
    globals::Names
    outer::Union{Scope,Nothing}
end

# The scope whose own a name is; nothing: the body's.
function find_owner(scope, name)
    while scope !== nothing
        has_name(scope.globals, name) && return nothing
        has_name(scope.names, name) && return scope
        scope = scope.outer
    end
    return nothing
end

function is_declared_global(scope, name)
    while scope !== nothing && !has_name(scope.names, name)
        has_name(scope.globals, name) && return true
        scope = scope.outer
    end
    return false
end

function has_kind(scope, kinds...)
    while scope !== nothing
        for kind in kinds
            scope.kind === kind && return true
        end
        scope = scope.outer
    end
    return false
end

function open_scope(scan, kind, names, block, outer)
    assigned = add_assigned(Assigned(), block)
    scope = Scope(kind, names, assigned.globals, outer)
    for name in keys(assigned.locals)
        names[name] = true
    end
    for name in keys(assigned.plain)
        is_ours = has_name(scan.top, name) || has_name(assigned.globals, name)
        is_ours || find_owner(outer, name) !== nothing || (names[name] = true)
    end
    return scope
end

function note_assigned(scan, scope, name, is_certain)
    if scope === nothing
        scan.seen[name] = true
        is_certain && (scan.sure[name] = true)
    elseif find_owner(scope, name) === nothing && !is_declared_global(scope, name)
        if name === :result
            has_kind(scope, :function) && (scan.is_same = false)
        elseif has_kind(scope, :hard, :lambda, :function) || !has_name(scan.sure, name)
            scan.is_same = false
        end
    end
    return nothing
end

function note_used(scan, scope, name)
    find_owner(scope, name) === nothing || return nothing
    name === :result && !has_name(scan.sure, name) && (scan.is_same = false)
    is_unknown = has_name(scan.top, name) && !has_name(scan.seen, name)
    if is_unknown && !has_kind(scope, :lambda, :function)
        scan.is_same = false
    end
    return nothing
end

function scan_target(scan, scope, target, is_certain)
    if target isa Symbol
        note_assigned(scan, scope, target, is_certain)
    elseif is_expr(target, :tuple) || is_expr(target, :parameters)
        for item in target.args
            scan_target(scan, scope, item, is_certain)
        end
    elseif is_expr(target, :(::)) || is_expr(target, :(...))
        scan_target(scan, scope, target.args[1], is_certain)
        length(target.args) == 2 && scan_tree(scan, scope, target.args[2], false)
    else
        scan_tree(scan, scope, target, false)
    end
end

function scan_all(scan, scope, items, is_certain)
    for item in items
        scan_tree(scan, scope, item, is_certain)
    end
end

# ---- Body: one kind of node each ----

function scan_assignment(scan, scope, ex, is_certain)
    if is_function(ex)
        return scan_function(scan, scope, ex, is_certain)
    end
    scan_tree(scan, scope, ex.args[2], is_certain)
    has_name(OPERATORS, ex.head) && scan_tree(scan, scope, ex.args[1], false)
    scan_target(scan, scope, ex.args[1], is_certain)
end

# A function with a name; without one, the head is a call's or a tuple.
function scan_function(scan, scope, ex, is_certain)
    name = is_function(ex) ? function_name(ex) : nothing
    if name !== nothing
        # In a branch a function defines its methods at once, the prompt when it gets there.
        is_certain || (scan.is_same = false)
        note_assigned(scan, scope, name, is_certain)
    elseif is_function(ex) && !is_expr(signature_of(ex), :tuple)
        scan.is_same = false
    end
    length(ex.args) > 1 || return nothing
    names = add_parameters(Names(), ex.args[1])
    name === nothing || delete!(names, name)
    inner = open_scope(scan, name === nothing ? :lambda : :function, names, ex.args[2], scope)
    scan_head(scan, inner, ex.args[1])
    scan_tree(scan, inner, ex.args[2], true)
end

# Types and defaults.
function scan_head(scan, inner, head)
    head isa Expr || return nothing
    if head.head === :kw || head.head === :(=)
        scan_tree(scan, inner, head.args[2], false)
    elseif head.head === :(::)
        scan_tree(scan, inner, head.args[end], false)
    end
    if head.head !== :(::) || head.args[1] isa Expr
        for arg in head.args
            scan_head(scan, inner, arg)
        end
    end
end

function scan_loop(scan, scope, ex)
    if ex.head === :while
        inner = open_scope(scan, :soft, Names(), ex, scope)
        return scan_all(scan, inner, ex.args, false)
    end
    iterations = is_expr(ex.args[1], :block) ? ex.args[1].args : ex.args[1:1]
    names = Names()
    inner = scope
    for iteration in iterations
        iteration isa LineNumberNode && continue
        scan_tree(scan, inner, iteration.args[2], false)
        is_expr(iteration.args[1], :outer) && (scan.is_same = false)
        add_targets(names, iteration.args[1])
        inner = Scope(:soft, names, Names(), scope)
    end
    inner = open_scope(scan, :soft, names, ex.args[2], scope)
    return scan_tree(scan, inner, ex.args[2], false)
end

# try, catch NAME, finally, else
function scan_try(scan, scope, ex)
    for k in 1:length(ex.args)
        block = ex.args[k]
        if k != 2 && block isa Expr
            names = Names()
            k == 3 && ex.args[2] isa Symbol && (names[ex.args[2]] = true)
            scan_tree(scan, open_scope(scan, :soft, names, block, scope), block, false)
        end
    end
end

function scan_let(scan, scope, ex)
    bindings = is_expr(ex.args[1], :block) ? ex.args[1].args : ex.args[1:1]
    names = Names()
    inner = Scope(:hard, names, Names(), scope)
    for binding in bindings
        if is_function(binding)
            names[function_name(binding)] = true
            scan_tree(scan, inner, binding, true)
        elseif is_expr(binding, :(=))
            scan_tree(scan, inner, binding.args[2], false)
            add_targets(names, binding.args[1])
        else
            add_targets(names, binding)
        end
    end
    inner = open_scope(scan, :hard, names, ex.args[2], scope)
    scan_tree(scan, inner, ex.args[2], true)
end

# [f(x) for x in a, y in b if c]
function scan_generator(scan, scope, ex)
    names = Names()
    inner = Scope(:lambda, names, Names(), scope)
    scan_iterations(scan, inner, names, ex.args[2:end])
    inner = open_scope(scan, :lambda, names, ex.args[1], scope)
    scan_tree(scan, inner, ex.args[1], false)
end

function scan_iterations(scan, inner, names, iterations)
    for iteration in iterations
        if is_expr(iteration, :filter)
            scan_iterations(scan, inner, names, iteration.args[2:end])
            scan_tree(scan, inner, iteration.args[1], false)
        elseif is_expr(iteration, :(=))
            scan_tree(scan, inner, iteration.args[2], false)
            add_targets(names, iteration.args[1])
        end
    end
end

function scan_declaration(scan, scope, ex, is_certain)
    for arg in ex.args
        is_ours = arg isa Symbol && first(string(arg)) == '#' # of a macro
        scope === nothing && ex.head === :local && !is_ours && (scan.is_same = false)
        arg isa Expr && scan_tree(scan, scope, arg, is_certain)
    end
end

function scan_branches(scan, scope, ex, is_certain)
    scan_tree(scan, scope, ex.args[1], is_certain)
    scan_all(scan, scope, ex.args[2:end], false)
end

# Fields of named tuples and keywords are no variables.
function scan_fields(scan, scope, ex, is_certain)
    for arg in ex.args
        is_field = is_expr(arg, :(=)) || is_expr(arg, :kw)
        scan_tree(scan, scope, is_field ? arg.args[2] : arg, is_certain)
    end
end

function scan_where(scan, scope, ex)
    names = Names()
    for item in ex.args[2:end]
        add_bound(names, item)
    end
    scan_all(scan, Scope(:lambda, names, Names(), scope), ex.args, false)
end

const IGNORED = name_set("meta inbounds loopinfo break continue symboliclabel symbolicgoto " *
                         "isdefined line inert boundscheck")
const UNKNOWN = name_set("quote macro module struct abstract primitive using import export " *
                         "macrocall toplevel thunk")

function scan_tree(scan, scope, ex, is_certain)
    ex isa Symbol && return note_used(scan, scope, ex)
    ex isa Expr || return nothing
    head = ex.head
    head === :call && return scan_fields(scan, scope, ex, is_certain)
    head === :block && return scan_all(scan, scope, ex.args, is_certain)
    (head === :(=) || has_name(OPERATORS, head)) &&
        return scan_assignment(scan, scope, ex, is_certain)
    (head === :if || head === :elseif || head === :&& || head === :||) &&
        return scan_branches(scan, scope, ex, is_certain)
    (head === :for || head === :while) && return scan_loop(scan, scope, ex)
    head === :try && return scan_try(scan, scope, ex)
    head === :let && return scan_let(scan, scope, ex)
    (head === :function || head === :->) && return scan_function(scan, scope, ex, is_certain)
    (head === :local || head === :global || head === :const) &&
        return scan_declaration(scan, scope, ex, is_certain)
    return scan_other(scan, scope, ex, is_certain)
end

function scan_other(scan, scope, ex, is_certain)
    head = ex.head
    head === :generator && return scan_generator(scan, scope, ex)
    head === :where && return scan_where(scan, scope, ex)
    (head === :tuple || head === :parameters) && return scan_fields(scan, scope, ex, is_certain)
    head === :kw && return scan_tree(scan, scope, ex.args[2], is_certain)
    has_name(IGNORED, head) && return nothing
    has_name(UNKNOWN, head) && (scan.is_same = false)
    return scan_all(scan, scope, ex.args, is_certain)
end
