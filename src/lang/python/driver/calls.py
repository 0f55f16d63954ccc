# Columns in, rows or vectors through the body, results out. SPDX-License-Identifier: MIT

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
            return DONE_ROWS
        except BaseException as failure:
            sys.setrecursionlimit(WORLD["recursion"])
            row = reply.find_not_done(row)
            reply.write_failure(row, failure)
        if function.after:
            function.after()
        row += 1
    return DONE_ROWS


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
        raise WordBroken(RANDOM_REFUSED)
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
        raise WordBroken(MISMATCH % (expected, describe_value(result)))
    if is_array and result.ndim != 1:
        raise WordBroken("result has %d dimensions, expected a column" % result.ndim)
    if len(result) != rows:
        raise WordBroken("result has %d rows, expected %d" % (len(result), rows))
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
            raise WordBroken(RANDOM_REFUSED)
        columns = [expand_column(function, request, column) for column in columns]
        values = evaluate_columns(function, columns, rows)
        for row in (0, rows - 1) if rows > 1 else ():
            alone = evaluate_columns(function, [column[row:row + 1] for column in columns], 1)
            if not is_same(values[row], alone[0], function.return_type):
                raise WordBroken(NOT_ALONE % row)
    except BaseException as failure:
        sys.setrecursionlimit(WORLD["recursion"])
        reply.fail_all(failure)
        if function.after:
            function.after()
        return DONE_REFUSED if isinstance(failure, WordBroken) else DONE_ROWS
    if function.return_type == TEXT:
        for row, value in enumerate(values):
            reply.write_value(row, value)
    elif isinstance(values, list):
        for row, value in enumerate(values):
            reply.slots[row] = value
    else:
        reply.bytes[:] = values.tobytes()
    reply.statuses[:] = b"\1" * rows
    return DONE_ROWS
