# From the tree of a body to a function. SPDX-License-Identifier: MIT

# ---- Body: from its tree to functions ----

# Two forms. In the *function form* the statements are those of a function, its locals are the
# body's variables. In the *namespace form* they run as a script does, with globals that are new for
# each row; when they have a `return`, they too are a function, but every name that they bind is
# declared global. The second serves every body, the first is faster and serves where nobody can
# tell the difference.


ALL = -1  # the number of `args` among those of the arguments


def rewrite_blocks(tree, rewrite):
    """Replaces the statements of the body's own scope, at any depth."""
    blocks = [getattr(node, field, None) for node in walk([tree], False)
              if not isinstance(node, SCOPES) for field in node._fields]
    for block in blocks:
        if isinstance(block, list) and block and isinstance(block[0], _ast.stmt):
            block[:] = [rewrite(statement) for statement in block]


def get_place(node):
    return {field: getattr(node, field) for field in node._attributes}


def make_local(statement, stars):
    """Makes of what only a module can have at its top what a function can have."""
    if isinstance(statement, _ast.Global):
        return _ast.Pass(**get_place(statement))
    if isinstance(statement, _ast.AnnAssign) and statement.simple:
        if statement.value is None:
            return _ast.Pass(**get_place(statement))
        return _ast.Assign([statement.target], statement.value, None, **get_place(statement))
    if isinstance(statement, _ast.ImportFrom) and statement.names[0].name == "*":
        name = ".star%d" % len(stars)
        stars[name] = compile(_ast.Module([statement], []), FILE, "exec", dont_inherit=True)
        return parse_template("at_exec(at_star, at_globals())", {"star": name}, statement.lineno)[0]
    return statement


def box_return(statement):
    """In the namespace form `return value` hands out (value,) and a bare one None."""
    if isinstance(statement, _ast.Return) and statement.value is not None:
        place = get_place(statement)
        statement.value = _ast.Tuple([statement.value], _ast.Load(), **place)
    return statement


def take_future(statements):
    """Takes out the imports that have to stand first in a module."""
    first = getattr(statements[0], "value", None) if statements else None
    start = end = 1 if isinstance(getattr(first, "value", None), str) else 0
    while end < len(statements) and getattr(statements[end], "module", "") == "__future__":
        end += 1
    future = statements[start:end]
    del statements[start:end]
    return future


def compile_function(future, parameters, statements):
    header = "def at_body(%s): pass" % ", ".join("at_%d" % i for i in range(len(parameters)))
    names = {str(i): name for i, name in enumerate(parameters)}
    function = parse_template(header, dict(names, body="body"), 1)
    function[0].body = statements or function[0].body
    code = compile(_ast.Module(future + function, []), FILE, "exec", dont_inherit=True)
    code = [const for const in code.co_consts if isinstance(const, CODE)][-1]
    if code.co_flags & 0x2A0:  # a generator or coroutine
        refuse_syntax("'yield' outside function", 1)
    return tidy_names(code, "body.<locals>.").replace(co_name="<module>")


def tidy_names(code, prefix):
    """Messages call a helper function by its own name, not as a local of ours."""
    def tidy(name):
        return name[len(prefix):] if name.startswith(prefix) else name
    consts = [tidy_names(const, prefix) if isinstance(const, CODE) else const
              for const in code.co_consts]
    if hasattr(code, "co_qualname"):
        code = code.replace(co_qualname=tidy(code.co_qualname))
    else:
        consts = [tidy(const) if isinstance(const, str) else const for const in consts]
    return code.replace(co_consts=tuple(consts))


def compile_body(function):
    """Sets text; run, which evaluates, and its parameters; check, of its result; after, which ends
    a row; numbers, of the arguments by name."""
    tree, WORLD["end"] = parse_body(function.body)
    text = function.text = Text(tree)
    names = [parse_name(name) if name else "" for name in function.arg_names]
    function.numbers = {name: number for number, name in enumerate(names) if name}
    function.numbers["args"] = ALL
    future, stars = take_future(tree.body), {}
    rewrite_blocks(tree, lambda statement: make_local(statement, stars))
    function.parameters = [name for name in ["args"] + names if name in text.words]
    ending = parse_template("return at_result", {"result": "result"}, WORLD["end"])
    code = compile_function(future, function.parameters, tree.body + ending)
    cells = set(code.co_cellvars)
    variables = cells.union(code.co_varnames)
    bound = variables.difference(function.parameters)
    hooks = find_hooks(text)
    is_cyclic = bool(cells & text.helpers) or (bool(cells) and text.has_lambda)
    if text.needs_namespace or is_cyclic or not bound.isdisjoint(vars(builtins)):
        if text.returns:
            rewrite_blocks(tree, box_return)
            place = {"lineno": 1, "col_offset": 0}
            declaration = [_ast.Global(sorted(variables), **place)] if variables else []
            code = compile_function(future, [], declaration + tree.body)
            code = code.replace(co_flags=code.co_flags & ~3)  # its locals are its globals
        else:
            code = compile(parse_body(function.body)[0], FILE, "exec", dont_inherit=True)
        function.parameters = ["args"] + [name for name in names if name]
        function.run, clear = make_fresh_run(code, function.parameters, stars, bool(text.imports))
        hooks.insert(0, clear)  # what dies may run code of the body
    else:
        space = {"__name__": "__main__", "__builtins__": builtins, "__warningregistry__": None}
        function.run = FUNCTION(code, space)
    function.after = hooks[0] if len(hooks) == 1 else make_after(hooks)
    function.check = make_check(function.return_type)


def make_fresh_run(code, parameters, stars, needs_module):
    """Evaluates with globals of its own, until clear empties them: a helper function holds them and
    they hold it, and a row's data shall not wait for the garbage collector."""
    world = dict(MODULE("__main__").__dict__, __builtins__=builtins, __warningregistry__=None)
    if stars:
        world.update(stars, **{".exec": exec, ".globals": globals})
    modules, spaces, names = sys.modules, [], parameters[1:]

    def run(args, *values):
        if needs_module:  # pickle and others look the body's names up there
            modules["__main__"] = module = MODULE("__main__")
            space = module.__dict__
            space.update(world)
        else:
            space = world.copy()
        spaces.append(space)
        space["args"] = args
        if names:
            space.update(zip(names, values))
        value = eval(code, space)
        if value is not None:
            return value[0]
        if "result" in space:
            return space["result"]
        raise Refused(NOT_SET)

    def clear():
        while spaces:
            spaces.pop().clear()
    return run, clear
