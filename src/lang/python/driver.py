# The driver of Python bodies: runs inside a worker (CPython 3.9 or newer) and speaks the protocol of
# src/wire/wire.h on descriptors 3 to 6. Its argument is the path of the guest library. The driver of
# every language has the same sections and function names. SPDX-License-Identifier: MIT
import _ast
import gc
import mmap
import posix
import sys
from posix import _exit, read, write
from struct import Struct

# A body may replace anything in builtins; the functions below keep what is there now.
import builtins
__builtins__ = dict(vars(builtins))

# ---- Numbers of wire.h ----

MAGIC, VERSION = 0x6E667865, 1
REQUEST_PIPE, REPLY_PIPE, REQUEST_MAP, REPLY_MAP = 3, 4, 5, 6
MAP_SIZE, MAP_START, ROWS_LIMIT = 64 << 20, 4096, 1 << 20
SETUP, CALL, CONTINUE = 1, 2, 3
READY, FAILED, DONE, FULL = 16, 17, 18, 19
VECTORIZED, SEAL = 1, 2
SEALED = 1
FAILURE_BODY, FAILURE_LANGUAGE, FAILURE_SEAL = 1, 2, 3
VALUE, ERROR, MEMORY = 1, 2, 3
NUMBER, BOOLEAN, TEXT, DATETIME, ENUM = 1, 2, 3, 4, 5
TYPE_TEXT = {NUMBER: "Number", BOOLEAN: "Boolean", TEXT: "Text", DATETIME: "DateTime", ENUM: "Enum"}
ELEMENT = {NUMBER: ("d", 8), BOOLEAN: ("?", 1), TEXT: ("I", 4), DATETIME: ("q", 8), ENUM: ("I", 4)}
VALUE_LIMIT, MESSAGE_LIMIT = 16 << 20, 1900
FRAME, SETUP_HEAD = Struct("<IHHIIII"), Struct("<6I")

# ---- Texts ----

FILE = "<function>"
NOT_SET = "function body did not set `result`"
MISMATCH = "return type mismatch: expected %s, got %s"
TOO_LARGE = "result too large: %d MiB, the limit is %d MiB"
RANDOM_REFUSED = "vectorized body draws random numbers"
NOT_ALONE = "vectorized body does not treat each row alone: row %d differs"


class Refused(Exception):
    """The result is not one; the message is final."""


class Failure(Exception):
    """The answer to SETUP is FAILED with this reason and message."""


class Function:
    """What SETUP said, and what compile_body made of it."""


# ---- Frames ----

def read_frame(*expected):
    """The next frame as (type, call, first_row, row_count)."""
    data = b""
    while len(data) < FRAME.size:
        more = read(REQUEST_PIPE, FRAME.size - len(data))
        if not more:
            _exit(0)
        data += more
    magic, version, frame_type, call, first_row, row_count, _ = FRAME.unpack(data)
    if (magic, version) != (MAGIC, VERSION) or frame_type not in expected:
        _exit(2)
    if not first_row <= row_count <= ROWS_LIMIT:
        _exit(2)
    return frame_type, call, first_row, row_count


def send_frame(frame_type, call, first_row, row_count, detail=0):
    flush_output()
    write(REPLY_PIPE, FRAME.pack(MAGIC, VERSION, frame_type, call, first_row, row_count, detail))


def align(offset):
    return (offset + 63) // 64 * 64


class Reply:
    """The reply map during one call: a status byte and a slot a row, texts in the heap."""

    def __init__(self, memory, call, rows, return_type):
        slots = align(MAP_START + rows)
        self.memory, self.call, self.rows = memory, call, rows
        self.heap = self.free = align(slots + 8 * rows)
        self.statuses = memoryview(memory)[MAP_START:MAP_START + rows]
        self.words = memoryview(memory)[slots:slots + 8 * rows].cast("q")
        self.slots = self.words.cast("B").cast("d") if return_type == NUMBER else self.words

    def write_value(self, row, data, status=VALUE):
        """Puts the text of a row into the heap, waiting for an empty one when it is full."""
        size = len(data)
        if size > MAP_SIZE - self.free:
            send_frame(FULL, self.call, row, self.rows)
            _, call, first_row, _ = read_frame(CONTINUE)
            if (call, first_row) != (self.call, row):
                _exit(2)
            self.free = self.heap
        self.memory[self.free:self.free + size] = data
        self.words[row] = self.free | size << 32
        self.statuses[row] = status
        self.free += size

    def write_failure(self, row, failure):
        status, message = describe_failure(failure)
        if status == MEMORY:
            self.statuses[row] = MEMORY
            gc.collect()
        else:
            self.write_value(row, message, status)

    def fail_all(self, failure):
        """The same failure for every row."""
        self.write_failure(0, failure)
        for row in range(1, self.rows):
            self.words[row] = self.words[0]
            self.statuses[row] = self.statuses[0]

    def find_not_done(self, row):
        return self.memory.find(b"\0", MAP_START + row, MAP_START + self.rows) - MAP_START


# ---- Setup ----

def read_setup(request):
    function = Function()
    function.flags, function.return_type, count, names_size, body_size, _ = \
        SETUP_HEAD.unpack_from(request, MAP_START)
    offset = MAP_START + SETUP_HEAD.size
    if offset + 4 * count + names_size + body_size > MAP_SIZE or function.return_type not in ELEMENT:
        _exit(2)
    function.types = Struct("<%dI" % count).unpack_from(request, offset)
    offset += 4 * count
    function.arg_names = request[offset:offset + names_size].decode().split("\0")[:count]
    function.body = request[offset + names_size:offset + names_size + body_size]
    if len(function.arg_names) != count or any(kind not in ELEMENT for kind in function.types):
        _exit(2)
    return function


def seal(guest):
    try:
        from _ctypes import call_function, dlopen, dlsym
    except ImportError:
        raise Failure(FAILURE_LANGUAGE, b"this Python lacks the module _ctypes")
    try:
        error = call_function(dlsym(dlopen(guest, 2), "xf_guest_seal"), ())
    except OSError as failure:
        raise Failure(FAILURE_SEAL, str(failure).encode())
    if error:
        raise Failure(FAILURE_SEAL, posix.strerror(abs(error)).encode())


# ---- Body: from text to a loop over rows ----

# Two forms. In the *function form* the statements are those of a function: its locals are the
# body's variables. In the *namespace form* they are a function too, but every name that they bind
# is declared global and the globals are new for each row, as in a script of its own. The second
# serves everywhere, the first is fast and serves where nobody can tell the difference.
ONLY_AST = 0x400
DYNAMIC = frozenset(
    "exec eval globals locals vars dir compile __import__ _getframe get_type_hints pickle inspect "
    "doctest timeit importlib runpy traceback currentframe f_back f_globals f_locals".split())
SCOPES = (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.Lambda, _ast.ClassDef)
CODE = type(compile("", FILE, "exec"))
BUILTINS = frozenset(vars(builtins))
BODY_NAME = "extfn_body"

READ = {  # an argument of a row, from column {0}
    TEXT: "at_text(at_request[at_c{0}[at_row] + at_b{0}:at_c{0}[at_row + 1] + at_b{0}], 'utf-8')",
    DATETIME: "at_epoch + at_delta(0, 0, at_c{0}[at_row])",
}
STORE = {
    NUMBER: "if at_type(at_result) is at_float: at_slots[at_row] = at_result\n"
            "  else: at_slots[at_row] = at_check(at_result)",
    BOOLEAN: "if at_type(at_result) is at_bool: at_slots[at_row] = at_result\n"
             "  else: at_slots[at_row] = at_check(at_result)",
    TEXT: "at_write(at_row, at_check(at_result))",
    DATETIME: "at_slots[at_row] = at_check(at_result)",
    ENUM: "at_slots[at_row] = at_check(at_result)",
}
LOOP = """def at_loop(at_first, at_count, {parameters}):
 for at_row in at_range(at_first, at_count):
  {reads}
  {evaluation}
  {store}
  {status}
  {after}
"""


def walk(nodes, into_scopes=True):
    """All nodes below; without those inside functions and classes unless into_scopes."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        for field in node._fields:
            child = getattr(node, field, None)
            if field == "body" and not into_scopes and isinstance(node, SCOPES):
                continue
            for item in child if isinstance(child, list) else [child]:
                if isinstance(item, _ast.AST):
                    stack.append(item)


def parse_text(data):
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Failure(FAILURE_BODY, b"function body is not UTF-8 text")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        refuse_syntax("source code cannot contain null bytes", text.count("\n", 0, text.find("\0")) + 1)
    return compile(text, FILE, "exec", ONLY_AST, dont_inherit=True), text.count("\n") + 2


def parse_template(text, names, line):
    """Statements of ours. A name at_x becomes names["x"], or else ".x", which no body can spell."""
    tree = compile(text, FILE, "exec", ONLY_AST, dont_inherit=True)
    for node in walk([tree]):
        for field in ("id", "arg", "name"):
            name = getattr(node, field, None)
            if isinstance(name, str) and name.startswith("at_"):
                setattr(node, field, names.get(name[3:], "." + name[3:]))
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = line
            node.col_offset = node.end_col_offset = 0
    return tree.body


def parse_name(name):
    """An argument's name as Python spells it (NFKC)."""
    tree = compile(name, FILE, "eval", ONLY_AST, dont_inherit=True).body
    if not isinstance(tree, _ast.Name):
        refuse_syntax("'%s' is not a name" % name, 1)
    return tree.id


def refuse_syntax(message, line):
    raise SyntaxError(message, (FILE, line, None, None))


class Text:
    """What the text of a body mentions."""

    def __init__(self, tree):
        self.words, self.modules, self.imports = set(), set(), []
        self.has_global = self.has_star = self.has_lambda = False
        for node in walk([tree]):
            if isinstance(node, _ast.Name):
                self.words.add(node.id)
            elif isinstance(node, _ast.Attribute):
                self.words.add(node.attr)
            elif isinstance(node, _ast.Import):
                for alias in node.names:
                    self.add_import(alias.name, [])
            elif isinstance(node, _ast.ImportFrom) and not node.level:
                self.add_import(node.module, [alias.name for alias in node.names])
            elif isinstance(node, (_ast.Global, _ast.Nonlocal)):
                self.words.update(node.names)
                self.has_global |= isinstance(node, _ast.Global)
            self.has_lambda |= isinstance(node, _ast.Lambda)
        top = list(walk([tree], False))
        self.returns = [node for node in top if isinstance(node, _ast.Return)]
        self.functions = {node.name for node in top if isinstance(node, SCOPES[:2])}
        self.has_class = any(isinstance(node, _ast.ClassDef) for node in top)
        for node in top:
            if isinstance(node, (_ast.Yield, _ast.YieldFrom)):
                refuse_syntax("'yield' outside function", node.lineno)

    def add_import(self, module, names):
        self.modules.add(module.partition(".")[0])
        self.words.update(module.split("."), names)
        self.imports.append((module, names))
        self.has_star |= "*" in names

    def is_plain(self):
        """Whether nothing that is known before compiling asks for the namespace form."""
        return not (
            self.has_global or self.has_star or self.has_class or self.words & DYNAMIC
            or find_resets(self) or any(not node.value for node in self.returns)
            or any(word.startswith("__") and word.endswith("__") for word in self.words))


def rewrite_blocks(tree, rewrite):
    """Replaces the statements of the body's own scope, at any depth."""
    blocks = [block for node in walk([tree], False) if not isinstance(node, SCOPES)
              for block in (getattr(node, field, None) for field in node._fields)
              if isinstance(block, list) and block and isinstance(block[0], _ast.stmt)]
    for block in blocks:
        block[:] = [rewrite(statement) for statement in block]


def make_local(statement, stars):
    """What is allowed at the top of a module only becomes what a function can have."""
    is_star = isinstance(statement, _ast.ImportFrom) and statement.names[0].name == "*"
    place = {field: getattr(statement, field) for field in statement._attributes}
    if isinstance(statement, _ast.Global):
        return _ast.Pass(**place)
    if isinstance(statement, _ast.AnnAssign) and statement.simple:
        if statement.value is None:
            return _ast.Pass(**place)
        return _ast.Assign([statement.target], statement.value, None, **place)
    if is_star:
        name = ".star%d" % len(stars)
        module = _ast.Module([statement], [])
        stars[name] = compile(module, FILE, "exec", dont_inherit=True)
        call = "at_exec(at_star, at_globals())"
        return parse_template(call, {"star": name}, statement.lineno)[0]
    return statement


def box_return(statement):
    """In the namespace form `return value` returns (value,), a bare one None."""
    if isinstance(statement, _ast.Return) and statement.value:
        place = {field: getattr(statement, field) for field in statement._attributes}
        statement.value = _ast.Tuple([statement.value], _ast.Load(), **place)
    return statement


def compile_function(header, body):
    """The code of one function; header is what must stand before it in its module."""
    code = compile(_ast.Module(header + body, []), FILE, "exec", dont_inherit=True)
    code = [const for const in code.co_consts if isinstance(const, CODE)][-1]
    if code.co_flags & 0x2A0:
        refuse_syntax("'yield' outside function", code.co_firstlineno)
    return tidy_names(code, BODY_NAME + ".<locals>.").replace(co_name="<module>")


def tidy_names(code, prefix):
    """Helper functions are called by their own name in messages, not as ours' locals."""
    consts = tuple(
        tidy_names(const, prefix) if isinstance(const, CODE)
        else const.replace(prefix, "", 1) if isinstance(const, str) and const.startswith(prefix)
        else const for const in code.co_consts)
    if hasattr(code, "co_qualname"):
        name = code.co_qualname
        code = code.replace(co_qualname=name[len(prefix):] if name.startswith(prefix) else name)
    return code.replace(co_consts=consts)


def compile_body(function):
    """Sets loop (over rows), evaluate (one column or row), text, after (each row)."""
    tree, end = parse_text(function.body)
    text = function.text = Text(tree)
    names = function.names = [parse_name(name) if name else "" for name in function.arg_names]
    header, stars = take_header(tree.body), {}
    rewrite_blocks(tree, lambda statement: make_local(statement, stars))
    parameters = [name for name in ["args"] + names if name in text.words]
    ending = parse_template("return at_result", {"result": "result"}, end)
    body = make_function(parameters, tree.body + ending, end)
    code = compile_function(header, body)
    cells, count = set(code.co_cellvars), code.co_argcount
    bound = set(code.co_varnames[count:]) | cells - set(code.co_varnames[:count])
    is_cyclic = cells & text.functions or cells and text.has_lambda
    is_own = text.is_plain() and not header and not is_cyclic and not bound & BUILTINS
    hooks = find_hooks(text)
    if is_own:
        space = {"__name__": "__main__", "__builtins__": builtins, "__warningregistry__": None}
        function.run = type(read_frame)(code, space)
        function.parameters = parameters
        nested = any(isinstance(const, CODE) for const in code.co_consts)
        is_inline = not (cells or nested or text.returns)
        function.inline = (tree.body, sorted(bound - {"result"})) if is_inline else None
    else:
        rewrite_blocks(tree, box_return)
        bound = sorted({*code.co_varnames, *code.co_cellvars} - {"." + "result"})
        declaration = [_ast.Global(bound, lineno=1, col_offset=0)] if bound else []
        body = make_function([], declaration + tree.body, end)
        code = compile_function(header, body)
        function.run, clear = make_fresh_runner(code, names, stars, read_docstring(header, tree))
        function.parameters = names
        function.inline = None
        hooks.append(clear)
    function.after = (lambda: run_hooks(hooks)) if hooks else None
