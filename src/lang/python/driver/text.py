# What a body says: its tree, its names, what it could reach. SPDX-License-Identifier: MIT

# ---- Body: what its text says ----

ONLY_AST = 0x400
FUNCTION, MODULE, CODE = type(load_guest), type(sys), type(load_guest.__code__)
SCOPES = (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.Lambda, _ast.ClassDef)
# Words with which a body could tell a function's variables from a module's.
DYNAMIC = frozenset(
    "exec eval globals locals vars dir compile __import__ _getframe currentframe f_back f_globals "
    "f_locals get_type_hints".split())


# Words that lead to what no word names.
HIDING = frozenset("Formatter attrgetter getattr methodcaller".split())


def walk(nodes, into_scopes=True):
    """All nodes below; without those inside functions and classes unless into_scopes."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        for field in node._fields:
            if field == "body" and not into_scopes and isinstance(node, SCOPES):
                continue
            child = getattr(node, field, None)
            stack += [item for item in (child if isinstance(child, list) else [child])
                      if isinstance(item, _ast.AST)]


def refuse_syntax(message, line):
    raise SyntaxError(message, (FILE, line, None, None))


def parse(text, mode="exec"):
    return compile(text, FILE, mode, ONLY_AST, dont_inherit=True)


def parse_body(data):
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        refuse_syntax("body is not valid UTF-8", data.count(b"\n", 0, failure.start) + 1)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        refuse_syntax("source code cannot contain null bytes", line)
    return parse(text), text.count("\n") + 2


def parse_name(name):
    """An argument's name as Python spells it (NFKC)."""
    tree = parse(name, "eval").body
    if not isinstance(tree, _ast.Name):
        refuse_syntax("'%s' is not a name" % name, 1)
    return tree.id


def parse_template(text, names, line):
    """Statements of ours: at_x becomes names["x"], or else ".x", which no body can spell."""
    tree = parse(text)
    for node in walk([tree]):
        for field in ("id", "arg", "name"):
            name = getattr(node, field, None)
            if isinstance(name, str) and name.startswith("at_"):
                setattr(node, field, names.get(name[3:], "." + name[3:]))
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = line
            node.col_offset = node.end_col_offset = 0
    return tree.body


class Text:
    """What a body mentions."""

    def __init__(self, tree):
        self.words, self.modules, self.imports, self.sets = set(), set(), [], False
        nodes, own_nodes = list(walk([tree])), list(walk([tree], False))
        for node in nodes:
            if isinstance(node, _ast.Name):
                self.words.add(node.id)
            elif isinstance(node, _ast.Attribute):
                self.words.add(node.attr)
                self.sets = self.sets or not isinstance(node.ctx, _ast.Load)
            elif hasattr(node, "kwd_attrs"):  # of a class in a pattern
                self.words.update(node.kwd_attrs)
            elif isinstance(node, (_ast.Global, _ast.Nonlocal)):
                self.words.update(node.names)
            elif isinstance(node, _ast.Import):
                for alias in node.names:
                    self.add_import(alias.name, [])
            elif isinstance(node, _ast.ImportFrom) and not node.level:
                self.add_import(node.module, [alias.name for alias in node.names])
        for node in own_nodes:
            if isinstance(node, (_ast.Yield, _ast.YieldFrom)):
                refuse_syntax("'yield' outside function", node.lineno)
        self.returns = [node for node in own_nodes if isinstance(node, _ast.Return)]
        self.helpers = {node.name for node in own_nodes if isinstance(node, SCOPES[:2])}
        self.has_lambda = any(isinstance(node, _ast.Lambda) for node in nodes)
        self.hides = (bool(self.modules - QUIET) or bool(self.words & (LOUD | DYNAMIC | HIDING))
                      or any(word.startswith("__") for word in self.words))
        self.needs_namespace = (
            any(isinstance(node, (_ast.Global, _ast.ClassDef)) for node in nodes)
            or any("*" in names or module == "__future__" for module, names in self.imports)
            or any(node.value is None for node in self.returns)
            or any(word.startswith("__") and word.endswith("__") for word in self.words)
            or not self.words.isdisjoint(DYNAMIC) or bool(find_resets(self)))

    def add_import(self, module, names):
        self.modules.add(module.partition(".")[0])
        self.words.update(module.split("."), names)
        self.imports.append((module, names))
