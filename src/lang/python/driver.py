# The driver of Python bodies: runs inside a worker (CPython 3.9 or newer), speaks the protocol of
# src/wire/wire.h on descriptors 3 to 6. Its argument is the path of the guest library. The drivers
# of all languages have the same sections and function names. SPDX-License-Identifier: MIT
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
FRAME, SETUP_HEAD, DOUBLE = Struct("<IHHIIII"), Struct("<6I"), Struct("<d")

# ---- Texts ----

FILE = "<function>"
NOT_SET = "function body did not set `result`"
MISMATCH = "return type mismatch: expected %s, got %s"
TOO_LARGE = "result too large: %d MiB, the limit is %d MiB"
RANDOM_REFUSED = "vectorized body draws random numbers"
DATETIME_RANGE = "result out of range: DateTime is in the years 0001 to 9999"
NOT_ALONE = "vectorized body does not treat each row alone: row %d differs"


WORLD = {}  # what this process is: see save_world; end: the line of what is ours in the body's code


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
        self.bytes = self.words.cast("B")

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
    if offset + 4 * count + names_size + body_size > MAP_SIZE:
        _exit(2)
    function.types = Struct("<%dI" % count).unpack_from(request, offset)
    offset += 4 * count
    function.arg_names = request[offset:offset + names_size].decode().split("\0")[:count]
    function.body = request[offset + names_size:offset + names_size + body_size]
    kinds = {function.return_type, *function.types}
    if len(function.arg_names) != count or not kinds <= ELEMENT.keys():
        _exit(2)
    return function


def seal(guest):
    try:
        from _ctypes import call_function, dlopen, dlsym
    except ImportError:
        raise Failure(FAILURE_LANGUAGE, "this Python lacks the module _ctypes")
    try:
        error = call_function(dlsym(dlopen(guest, 2), "xf_guest_seal"), ())
    except OSError as failure:
        raise Failure(FAILURE_SEAL, str(failure))
    if error:
        raise Failure(FAILURE_SEAL, posix.strerror(abs(error)))


# ---- Body: what its text says ----

ONLY_AST = 0x400
FUNCTION, MODULE, CODE = type(align), type(sys), type(align.__code__)
SCOPES = (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.Lambda, _ast.ClassDef)
# Words with which a body could tell a function's variables from a module's.
DYNAMIC = frozenset(
    "exec eval globals locals vars dir compile __import__ _getframe currentframe f_back f_globals "
    "f_locals get_type_hints".split())


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
    except UnicodeDecodeError:
        raise Failure(FAILURE_BODY, "function body is not UTF-8 text")
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
        self.words, self.modules, self.imports = set(), set(), []
        nodes, own_nodes = list(walk([tree])), list(walk([tree], False))
        for node in nodes:
            if isinstance(node, _ast.Name):
                self.words.add(node.id)
            elif isinstance(node, _ast.Attribute):
                self.words.add(node.attr)
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


# ---- Body: from its tree to functions ----

# Two forms. In the *function form* the statements are those of a function, its locals are the
# body's variables. In the *namespace form* they run as a script does, with globals that are new for
# each row; when they have a `return`, they too are a function, but every name that they bind is
# declared global. The second serves every body, the first is faster and serves where nobody can
# tell the difference.


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
    """Sets text; parameters and run, which evaluates; statements, where they may stand in the loop
    itself; after, which ends a row."""
    tree, WORLD["end"] = parse_body(function.body)
    text = function.text = Text(tree)
    names = [parse_name(name) if name else "" for name in function.arg_names]
    function.names = names
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
        hooks.append(clear)
        function.statements = None
    else:
        space = {"__name__": "__main__", "__builtins__": builtins, "__warningregistry__": None}
        function.run = FUNCTION(code, space)
        has_code = any(isinstance(const, CODE) for const in code.co_consts)
        is_simple = not (cells or has_code or text.returns)
        function.statements = tree.body if is_simple else None
        function.variables = sorted(bound)
    function.after = hooks[0] if len(hooks) == 1 else make_after(hooks)
    function.check = make_check(function.return_type)
    if not function.flags & VECTORIZED:
        function.loop = make_loop(function)


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


# ---- Body: the loop over rows ----

READ = {  # an argument of the row, from column {0}
    TEXT: "at_text(at_request[at_start{0} + at_column{0}[at_row]:"
          "at_start{0} + at_column{0}[at_row + 1]], 'utf-8')",
    DATETIME: "at_epoch + at_delta(0, 0, at_column{0}[at_row])",
}
STORE = {
    NUMBER: "if at_type(at_result) is at_float: at_slots[at_row] = at_result\n"
            "  else: at_slots[at_row] = at_check(at_result)",
    BOOLEAN: "if at_type(at_result) is at_bool: at_slots[at_row] = at_result\n"
             "  else: at_slots[at_row] = at_check(at_result)",
    TEXT: "at_write_value(at_row, at_check(at_result))",
    DATETIME: "at_slots[at_row] = at_check(at_result)",
    ENUM: "at_slots[at_row] = at_check(at_result)",
}
TOOLS = {".range": range, ".type": type, ".float": float, ".bool": bool, ".text": str}
LATER = "request epoch delta run check after write_value slots statuses".split()  # see run_rows


def make_loop(function):
    """A loop for just this signature: loop(first, count, **tools and columns)."""
    indices = range(len(function.types))
    names = {}
    is_all = "args" in function.parameters
    used = [i for i in indices if is_all or function.names[i] in function.parameters]
    values = {name: "at_value%d" % i for i, name in enumerate(function.names) if name}
    values["args"] = "[%s]" % ", ".join("at_value%d" % i for i in indices)
    lines = ["at_value%d = %s" % (i, READ.get(function.types[i], "at_column{0}[at_row]").format(i))
             for i in used]
    if function.statements is None:
        given = ", ".join(values[name] for name in function.parameters)
        lines.append("at_result = at_run(%s)" % given)
        cleanup = []
    else:
        names = {"p%d" % i: name for i, name in enumerate(function.parameters)}
        names.update({"u%d" % i: name for i, name in enumerate(function.variables)})
        names["result"] = "result"
        lines += ["at_p%d = %s" % (i, values[name]) for i, name in enumerate(function.parameters)]
        lines.append("pass")  # stands for the body
        cleanup = ["at_u%d = None; del at_u%d" % (i, i) for i in range(len(function.variables))]
    position = len(lines) - 1
    lines += [STORE[function.return_type]]
    if function.return_type != TEXT:
        lines.append("at_statuses[at_row] = 1")
    lines += cleanup + (["at_after()"] if function.after else [])
    tools = [name[1:] for name in TOOLS] + LATER
    tools += ["column%d" % i for i in indices] + ["start%d" % i for i in indices]
    parameters = ", ".join("at_" + name for name in ["first", "count"] + tools)
    header = "def at_loop(%s):\n for at_row in at_range(at_first, at_count):\n  " % parameters
    loop = parse_template(header + "\n  ".join(lines), dict(names, loop="loop"), WORLD["end"])
    if function.statements is not None:
        loop[0].body[0].body[position:position + 1] = function.statements or []
    space = {"__name__": "__main__", "__builtins__": builtins, "__warningregistry__": None}
    exec(compile(_ast.Module(loop, []), FILE, "exec", dont_inherit=True), space)
    return space.pop("loop")


# ---- Values ----

def get_name(kind):
    """A class's name, whatever its metaclass says."""
    return type.__dict__["__name__"].__get__(kind)


def describe_value(value):
    kind = type(value)
    if value is None:
        return "None"
    datetime = getattr(sys.modules.get("datetime"), "datetime", bool)
    kinds = [(bool, BOOLEAN), ((int, float), NUMBER), (str, TEXT), (datetime, DATETIME)]
    known = [TYPE_TEXT[code] for base, code in kinds if issubclass(kind, base)]
    name = known[0] if known else get_name(kind)
    try:
        short = str.__getitem__(value, slice(60)) if issubclass(kind, str) else value
        is_huge = issubclass(kind, int) and int.bit_length(value) > 512
        text = "(too long to show)" if is_huge else repr(short)
        return name + " " + (text if len(text) <= 70 else text[:67] + "...")
    except BaseException:
        return name


def make_check(return_type):
    """check(value) gives what the slot holds (Text: bytes for the heap) or raises Refused."""
    expected = TYPE_TEXT[return_type]
    modules = sys.modules

    def refuse(value):
        raise Refused(MISMATCH % (expected, describe_value(value)))

    def get_number(value):
        """An int or float of value, which is one of the language or of NumPy, or else None."""
        kind = type(value)
        if issubclass(kind, float):
            return float.__float__(value)
        if issubclass(kind, int):
            return None if kind is bool else int.__index__(value)
        numpy = modules.get("numpy")
        if numpy is not None:
            if issubclass(kind, numpy.ndarray) and value.shape == ():
                value = value[()]
            if isinstance(value, numpy.integer):
                return int(value)
            if isinstance(value, numpy.floating):
                return float(value)
        return None

    def check_number(value):
        number = get_number(value)
        try:
            return refuse(value) if number is None else float(number)
        except OverflowError:
            raise Refused("result out of range: integer too large for a Number")

    def check_boolean(value):
        numpy = modules.get("numpy")
        if numpy is not None and isinstance(value, numpy.bool_):
            return bool(value)
        return value if type(value) is bool else refuse(value)

    def check_text(value):
        if not issubclass(type(value), str):
            refuse(value)
        try:
            data = str.encode(value)
        except UnicodeEncodeError:
            raise Refused("result is not valid Unicode text")
        if len(data) > VALUE_LIMIT:
            raise Refused(TOO_LARGE % (-(-len(data) >> 20), VALUE_LIMIT >> 20))
        return data

    def check_enum(value):
        number = get_number(value)
        if type(number) is not int:
            refuse(value)
        if not 0 <= number <= 0xFFFFFFFF:
            raise Refused("result out of range: Enum is 0 to 4294967295, got %s"
                          % describe_value(number))
        return number

    if return_type == DATETIME:
        return make_datetime_check(refuse)
    return {NUMBER: check_number, BOOLEAN: check_boolean, TEXT: check_text, ENUM: check_enum}[
        return_type]


FIRST_MOMENT, LAST_MOMENT = -62135596800000000, 253402300799999999


def make_datetime_check(refuse):
    from datetime import datetime, timezone
    naive_epoch = datetime(1970, 1, 1)
    epoch = naive_epoch.replace(tzinfo=timezone.utc)

    def check_datetime(value):
        if not issubclass(type(value), datetime):
            refuse(value)
        is_naive = datetime.utcoffset(value) is None
        delta = datetime.__sub__(value, naive_epoch if is_naive else epoch)
        moment = (delta.days * 86400 + delta.seconds) * 1000000 + delta.microseconds
        if not FIRST_MOMENT <= moment <= LAST_MOMENT:
            raise Refused(DATETIME_RANGE)
        return moment
    return check_datetime


# ---- Failures ----

def describe_failure(failure):
    """Row status and message: `TYPE: message (line N)` with the line of the body."""
    line, innermost = find_line(failure.__traceback__)
    kind = type(failure)
    if issubclass(kind, MemoryError):
        return MEMORY, b""
    if kind is Refused:
        return ERROR, cut_message(failure.args[0])
    if issubclass(kind, NameError) and innermost == WORLD["end"]:
        return ERROR, cut_message(NOT_SET)
    try:
        is_syntax = issubclass(kind, SyntaxError)
        message = str(failure.msg if is_syntax else failure)
        if is_syntax and line is None and failure.filename == FILE:
            line = failure.lineno
        text = get_name(kind) + (": " if str.__len__(message) else "")
        text += str.__str__(message)
    except MemoryError:
        return MEMORY, b""
    except BaseException:
        text = get_name(kind)
    return ERROR, cut_message(text, " (line %d)" % line if line else "")


def find_line(traceback):
    """The line of the innermost frame that runs the body; and that of the innermost frame, when it
    does."""
    line = innermost = None
    while traceback is not None:
        is_body = traceback.tb_frame.f_code.co_filename == FILE
        innermost = traceback.tb_lineno if is_body else None
        line = innermost if is_body and innermost != WORLD["end"] else line
        traceback = traceback.tb_next
    return line, innermost


def cut_message(text, suffix=""):
    """UTF-8 of at most MESSAGE_LIMIT bytes, cut at a character."""
    room = MESSAGE_LIMIT - len(suffix)
    data = text[:room].replace("\0", "\\0").encode("utf-8", "backslashreplace")
    return data[:room].decode("utf-8", "ignore").encode() + suffix.encode()


# ---- The world: what a row may change and gets back ----

# Modules that change nothing for other rows by their usual means, or only what RESETS undoes.
QUIET = frozenset(
    "__future__ abc array base64 binascii bisect cmath collections colorsys contextlib copy "
    "dataclasses datetime decimal difflib enum fractions functools graphlib hashlib heapq hmac "
    "html ipaddress itertools json keyword locale math numbers numpy operator random re secrets "
    "statistics string stringprep struct textwrap time types typing unicodedata uuid warnings "
    "zlib zoneinfo".split())
LOUD = frozenset(
    "__builtins__ __dict__ __globals__ __import__ _os _sys breakpoint builtins compile delattr "
    "eval exec globals importlib input memmap modules open os save savetxt savez savez_compressed "
    "setattr sys tofile vars".split())
PRINTING = frozenset("print stdout stderr warn".split())


def save_world():
    WORLD.update(
        environment=dict(posix.environ), directory=posix.getcwd(), umask=posix.umask(0),
        path=(sys.path, list(sys.path)), argv=(sys.argv, list(sys.argv)),
        recursion=sys.getrecursionlimit(), filters=list(warning_filters()))
    posix.umask(WORLD["umask"])
    WORLD["digits"] = getattr(sys, "get_int_max_str_digits", int)()
    os, numpy = sys.modules.get("os"), sys.modules.get("numpy")
    if os is not None:
        WORLD["environ"] = os.environ
    if numpy is not None:
        WORLD["numpy"] = numpy.geterr(), numpy.get_printoptions()


def warning_filters():
    from _warnings import filters
    return filters


def open_streams():
    for fd, name, mode in (0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w"):
        stream = open(fd, mode, 1, "utf-8", "backslashreplace", closefd=False)
        WORLD[name] = stream
        setattr(sys, name, stream)
        setattr(sys, "__%s__" % name, stream)


def flush_output():
    for stream in WORLD.get("stdout"), WORLD.get("stderr"):
        try:
            stream.flush()
        except BaseException:
            pass


def reset_streams():
    for name in "stdin", "stdout", "stderr":
        try:
            if WORLD[name].closed or getattr(sys, name) is not WORLD[name]:
                raise ValueError
        except (AttributeError, ValueError):  # ValueError: detached
            return open_streams()


def reset_process():
    os = sys.modules.get("os")
    if os is not None and "environ" in WORLD:
        os.environ = WORLD["environ"]
    if os is not None and os.environ._data != WORLD["environment"]:
        os.environ.clear()
        for name, value in WORLD["environment"].items():
            os.environ[os.fsdecode(name)] = os.fsdecode(value)
    posix.chdir(WORLD["directory"])
    posix.umask(WORLD["umask"])
    for name in "path", "argv":
        items, saved = WORLD[name]
        items[:] = saved
        setattr(sys, name, items)
    sys.settrace(None)
    sys.setprofile(None)
    sys.setrecursionlimit(WORLD["recursion"])
    if WORLD["digits"]:
        sys.set_int_max_str_digits(WORLD["digits"])
    gc.enable()
    if WORLD["owns_tmp"]:
        empty_tmp()


def owns_tmp(function):
    """Whether /tmp is this worker's alone: sealed, in bubblewrap's view of files, still empty."""
    return (function.flags & SEAL and __file__ == "/b/driver.py" and WORLD["directory"] == "/tmp"
            and not posix.listdir("/tmp"))


def empty_tmp():
    """Flattens before it removes, so that no depth of directories is too deep."""
    number = 0
    while True:
        entries = list(posix.scandir(b"/tmp"))
        if not entries:
            return
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                posix.unlink(entry.path)
                continue
            posix.chmod(entry.path, 0o700)
            for name in posix.listdir(entry.path):
                number += 1
                posix.rename(entry.path + b"/" + name, b"/tmp/.extfn-%d" % number)
            posix.rmdir(entry.path)


def reset_random():
    modules = sys.modules
    if "random" in modules:
        modules["random"].seed(0)
    if "numpy.random" in modules:
        modules["numpy.random"].seed(0)


def reset_decimal():
    decimal = sys.modules.get("decimal")
    if decimal is not None:
        decimal.setcontext(decimal.Context())


def reset_locale():
    import _locale
    _locale.setlocale(_locale.LC_ALL, "C")
    _locale.setlocale(_locale.LC_CTYPE, "")


def reset_warnings():
    import _warnings
    _warnings.filters[:] = WORLD["filters"]
    warnings = sys.modules.get("warnings")
    if warnings is not None:
        warnings.filters = _warnings.filters
    for module in _warnings, warnings:
        getattr(module, "_filters_mutated", int)()


def reset_numpy():
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.seterr(**WORLD["numpy"][0])
        numpy.set_printoptions(**WORLD["numpy"][1])


RESETS = {
    "random": reset_random, "samples": reset_random, "decimal": reset_decimal,
    "locale": reset_locale, "warnings": reset_warnings, "seterr": reset_numpy,
    "set_printoptions": reset_numpy,
}
ALL_RESETS = [reset_process, reset_streams, reset_random, reset_decimal, reset_locale,
              reset_warnings, reset_numpy]


def find_resets(text):
    if text.modules - QUIET or text.words & LOUD:
        return ALL_RESETS
    return [RESETS[word] for word in sorted(RESETS.keys() & text.words)]


def find_hooks(text):
    resets = find_resets(text)
    is_printing = resets is ALL_RESETS or text.words & PRINTING
    return ([flush_output] if is_printing else []) + list(resets)


def make_after(hooks):
    """What ends a row: None, or a function that never raises."""
    def reset_world():
        for hook in hooks:
            try:
                hook()
            except BaseException:
                pass
    return reset_world if hooks else None


def import_ahead(text):
    """Loads what the body imports, so that its first row finds the same world as the others."""
    for module, names in text.imports:
        try:
            __import__(module, {}, {}, names)
        except BaseException:
            pass
    if text.words & DYNAMIC or "importlib" in text.words:
        import random  # noqa: F401, it may come by a name that the text does not show


# ---- Calls ----


class Column:
    """One argument's values in the request map; start is that of a Text column's bytes."""

    def __init__(self, request, kind, offset, start, rows):
        code, size = ELEMENT[kind]
        self.kind, self.offset, self.start, self.rows = kind, offset, start, rows
        count = rows + 1 if kind == TEXT else rows
        if offset > MAP_SIZE or start > MAP_SIZE or count * size > MAP_SIZE - offset:
            _exit(2)
        self.values = memoryview(request)[offset:offset + count * size].cast(code)


def read_columns(function, request, rows):
    heads = Struct("<%dI" % (2 * len(function.types))).unpack_from(request, MAP_START)
    return [Column(request, kind, heads[2 * i], heads[2 * i + 1], rows)
            for i, kind in enumerate(function.types)]


def run_rows(function, request, columns, reply):
    tools = dict(TOOLS)
    values = (request, function.epoch, function.delta, function.run, function.check, function.after,
              reply.write_value, reply.slots, reply.statuses)
    tools.update(zip(["." + name for name in LATER], values))
    for i, column in enumerate(columns):
        tools[".column%d" % i] = column.values
        tools[".start%d" % i] = column.start
    row = 0
    while row < reply.rows:
        try:
            function.loop(row, reply.rows, **tools)
            return
        except BaseException as failure:
            sys.setrecursionlimit(WORLD["recursion"])
            row = reply.find_not_done(row)
            reply.write_failure(row, failure)
        if function.after:
            function.after()
        row += 1


def expand_column(function, request, column):
    """The values as one NumPy array where NumPy is there, else as a list."""
    numpy = sys.modules.get("numpy")
    values = column.values
    if column.kind == TEXT:
        values = [str(request[column.start + values[row]:column.start + values[row + 1]], "utf-8")
                  for row in range(column.rows)]
    if numpy is None:
        if column.kind == DATETIME:
            return [function.epoch + function.delta(0, 0, value) for value in values]
        return list(values)
    if column.kind == TEXT:
        array = numpy.empty(column.rows, object)
        array[:] = values
        return array
    array = numpy.frombuffer(values, values.format)
    return array.view("<M8[us]") if column.kind == DATETIME else array


def evaluate_columns(function, columns, rows):
    named = dict(zip(function.names, columns), args=columns)
    state = random_state()
    result = function.run(*[named[name] for name in function.parameters])
    if random_state() != state:
        raise Refused(RANDOM_REFUSED)
    values = check_column(function, result, rows)
    if function.after:
        function.after()
    return values


def random_state():
    modules = sys.modules
    state = [modules["random"].getstate()] if "random" in modules else []
    if "numpy.random" in modules:
        name, keys, *rest = modules["numpy.random"].get_state()
        state += [keys.tobytes(), rest]
    return state


def check_column(function, result, rows):
    """The result as a NumPy array of the slots' type or as a list of checked values."""
    numpy = sys.modules.get("numpy")
    is_array = numpy is not None and isinstance(result, numpy.ndarray)
    if not is_array and not issubclass(type(result), (list, tuple)):
        expected = "a column of %s" % TYPE_TEXT[function.return_type]
        raise Refused(MISMATCH % (expected, describe_value(result)))
    if is_array and result.ndim != 1:
        raise Refused("result has %d dimensions, expected a column" % result.ndim)
    if len(result) != rows:
        raise Refused("result has %d rows, expected %d" % (len(result), rows))
    if is_array:
        values = convert_array(numpy, result, function.return_type)
        if values is not None:
            return values
    return [function.check(value) for value in result]


def convert_array(numpy, array, return_type):
    """None where its elements have to be looked at one by one."""
    kind = array.dtype.kind
    if return_type == NUMBER and kind in "fiu":
        return array.astype("<f8")
    if return_type == BOOLEAN and kind == "b":
        return array.astype("<i8")
    if return_type == ENUM and kind in "iu":
        return array.astype("<i8") if ((array >= 0) & (array <= 0xFFFFFFFF)).all() else None
    if return_type == DATETIME and kind == "M":
        moments = array.astype("<M8[us]")
        values = moments.astype("<i8")
        if not (moments == array).all():  # NaT is equal to nothing
            raise Refused("result is not a time in whole microseconds")
        if not ((values >= FIRST_MOMENT) & (values <= LAST_MOMENT)).all():
            raise Refused(DATETIME_RANGE)
        return values
    return None


def is_same(left, right, return_type):
    if return_type == NUMBER:
        return left != left and right != right or DOUBLE.pack(left) == DOUBLE.pack(right)
    return left == right


def run_vectorized(function, request, columns, reply):
    rows, words = reply.rows, function.text.words
    try:
        if "random" in words or "default_rng" in words:
            raise Refused(RANDOM_REFUSED)
        columns = [expand_column(function, request, column) for column in columns]
        values = evaluate_columns(function, columns, rows)
        for row in (0, rows - 1) if rows > 1 else ():
            alone = evaluate_columns(function, [column[row:row + 1] for column in columns], 1)
            if not is_same(values[row], alone[0], function.return_type):
                raise Refused(NOT_ALONE % row)
    except BaseException as failure:
        sys.setrecursionlimit(WORLD["recursion"])
        reply.fail_all(failure)
        if function.after:
            function.after()
        return
    if function.return_type == TEXT:
        for row, value in enumerate(values):
            reply.write_value(row, value)
    elif isinstance(values, list):
        for row, value in enumerate(values):
            reply.slots[row] = value
    else:
        reply.bytes[:] = values.tobytes()
    reply.statuses[:] = b"\1" * rows


def prepare(function, guest):
    """All that comes before the first row. Raises Failure or what the compiler raised."""
    if function.flags & SEAL:
        seal(guest)
    sys.stdout = sys.stderr = None  # no warnings about the text, nothing from modules that load
    function.epoch = function.delta = None
    if DATETIME in function.types or function.return_type == DATETIME:
        from datetime import datetime, timedelta, timezone
        function.epoch, function.delta = datetime(1970, 1, 1, tzinfo=timezone.utc), timedelta
    compile_body(function)
    import_ahead(function.text)
    if function.flags & VECTORIZED:
        import_ahead_numpy()
    open_streams()
    save_world()
    WORLD["owns_tmp"] = owns_tmp(function)
    if function.after:
        function.after()
    gc.freeze()


def import_ahead_numpy():
    try:
        import numpy  # noqa: F401, found by what passes columns
    except BaseException:
        pass


def main():
    sys.modules["__main__"] = MODULE("__main__")
    guest = sys.argv[1] if len(sys.argv) > 1 else ""
    if sys.path and not sys.flags.__class__.__dict__.get("safe_path"):
        sys.path[:] = [path for path in sys.path if path != __file__.rpartition("/")[0]]
    sys.argv[:] = [""]
    request = mmap.mmap(REQUEST_MAP, MAP_SIZE, prot=mmap.PROT_READ)
    memory = mmap.mmap(REPLY_MAP, MAP_SIZE)
    _, call, _, _ = read_frame(SETUP)
    function = read_setup(request)
    try:
        prepare(function, guest)
    except BaseException as failure:
        reason, message = FAILURE_BODY, None
        if isinstance(failure, Failure):
            reason, message = failure.args
        Reply(memory, call, 1, TEXT).write_value(
            0, cut_message(message) if message else describe_failure(failure)[1], ERROR)
        send_frame(FAILED, call, 0, 1, reason)
        _exit(0)
    send_frame(READY, call, 0, 1, SEALED if function.flags & SEAL else 0)
    run = run_vectorized if function.flags & VECTORIZED else run_rows
    while True:
        _, call, _, rows = read_frame(CALL)
        reply = Reply(memory, call, rows, function.return_type)
        run(function, request, read_columns(function, request, rows), reply)
        send_frame(DONE, call, 0, rows)


if __name__ == "__main__":
    try:
        main()
    except BaseException as failure:  # a bug, or a body that closed our descriptors
        write(2, b"driver: %s\n" % describe_failure(failure)[1])
        _exit(3)
