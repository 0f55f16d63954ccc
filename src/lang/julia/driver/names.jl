#: forms
# Which names a body assigns, where. SPDX-License-Identifier: MIT

# ---- Body: names that are assigned ----

function name_set(words)
    names = Names()
    for word in split(words)
        names[Symbol(word)] = true
    end
    return names
end

const OPERATORS = name_set("+= -= *= /= //= \\= ^= ÷= %= <<= >>= >>>= |= &= ⊻=")

# f(x) = ..., f(x)::T = ... and f(x) where T = ...; not a = ..., a[i] = ..., a.b = ...
function is_signature(ex)
    while is_expr(ex, :where) || (is_expr(ex, :(::)) && length(ex.args) == 2)
        ex = ex.args[1]
    end
    return is_expr(ex, :call)
end

is_function(ex) = is_expr(ex, :function) || (is_expr(ex, :(=)) && is_signature(ex.args[1]))

function signature_of(ex)
    signature = ex.args[1]
    while is_expr(signature, :where) || (is_expr(signature, :(::)) && length(signature.args) == 2)
        signature = signature.args[1]
    end
    return signature
end

# A function's own name, or nothing: methods of others (Base.f, (p::P)(x)) and anonymous ones.
function function_name(ex)
    signature = signature_of(ex)
    signature isa Symbol && return signature
    name = is_expr(signature, :call) ? signature.args[1] : nothing
    name = is_expr(name, :curly) ? name.args[1] : name
    return name isa Symbol ? name : nothing
end

# Names that an assignment's left side binds.
function add_targets(names, target)
    if target isa Symbol
        names[target] = true
    elseif is_expr(target, :tuple) || is_expr(target, :parameters) || is_expr(target, :block)
        for item in target.args
            add_targets(names, item)
        end
    elseif is_expr(target, :(::)) || is_expr(target, :(...)) || is_expr(target, :kw) ||
           is_expr(target, :(=))
        isempty(target.args) || add_targets(names, target.args[1])
    elseif is_expr(target, :curly)
        add_targets(names, target.args[1])
    elseif is_expr(target, :where)
        add_targets(names, target.args[1])
        for item in target.args[2:end]
            add_bound(names, item)
        end
    end
    return names
end

# T, T <: Real and Int <: T <: Real of a `where`.
function add_bound(names, item)
    item isa Symbol && (names[item] = true)
    is_expr(item, :<:) && add_bound(names, item.args[1])
    is_expr(item, :>:) && add_bound(names, item.args[1])
    is_expr(item, :comparison) && add_bound(names, item.args[3])
    return names
end

# What a call's or function's head binds: parameters, names of types.
function add_parameters(names, head)
    if is_expr(head, :where)
        for item in head.args[2:end]
            add_bound(names, item)
        end
        add_parameters(names, head.args[1])
    elseif is_expr(head, :(::)) && length(head.args) == 2 && !(head.args[1] isa Symbol)
        add_parameters(names, head.args[1])
    elseif is_expr(head, :call)
        callee = head.args[1]
        is_expr(callee, :(::)) && add_targets(names, callee.args[1])
        for item in head.args[2:end]
            add_targets(names, item)
        end
    else
        add_targets(names, head)
    end
    return names
end

const SCOPES = name_set("for while try let function -> do generator macro module struct quote " *
                        "filter flatten comprehension typed_comprehension")

# Names that the statements of a scope assign, without those of scopes within it.
struct Assigned
    plain::Names
    locals::Names  # declared so
    globals::Names # declared so
end

Assigned() = Assigned(Names(), Names(), Names())

target_of(ex) = is_expr(ex, :(=)) || (ex isa Expr && has_name(OPERATORS, ex.head)) ? ex.args[1] : ex

function add_declared(assigned, ex)
    for arg in ex.args
        if is_expr(arg, :global) || is_expr(arg, :local) || is_expr(arg, :const)
            add_assigned(assigned, arg)
        elseif is_function(arg)
            name = function_name(arg)
            names = ex.head === :global ? assigned.globals : assigned.plain
            name === nothing || add_targets(names, name)
        else
            names = ex.head === :global ? assigned.globals :
                    ex.head === :local ? assigned.locals : assigned.plain
            add_targets(names, target_of(arg))
            target_of(arg) === arg || add_assigned(assigned, arg.args[2])
        end
    end
end

function add_assigned(assigned, ex)
    ex isa Expr || return assigned
    head = ex.head
    if is_function(ex)
        name = function_name(ex)
        name === nothing || (assigned.plain[name] = true)
    elseif head === :(=) || has_name(OPERATORS, head)
        add_targets(assigned.plain, ex.args[1])
        add_assigned(assigned, ex.args[2])
    elseif head === :local || head === :const || head === :global
        add_declared(assigned, ex)
    elseif head === :tuple || head === :parameters || head === :kw
        for arg in ex.args # (a = 1, b = 2) names fields
            add_assigned(assigned, is_expr(arg, :(=)) || is_expr(arg, :kw) ? arg.args[2] : arg)
        end
    elseif !has_name(SCOPES, head)
        for arg in ex.args
            add_assigned(assigned, arg)
        end
    end
    return assigned
end

# All that is declared global, however deep.
function add_globals(names, ex)
    ex isa Expr || return names
    if ex.head === :global
        for arg in ex.args
            is_function(arg) || add_targets(names, target_of(arg))
        end
    end
    for arg in ex.args
        add_globals(names, arg)
    end
    return names
end
