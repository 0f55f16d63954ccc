# Columns in, rows or vectors through the body, results out. SPDX-License-Identifier: MIT

# ---- Calls ----


def run_rows(function, guest):
    while True:
        try:
            return DONE_WORN if guest.run() else DONE_ROWS
        except BaseException as failure:
            write_failure(guest, failure)
        if function.after and function.after():
            return DONE_WORN


NUMPY_TYPE = {NUMBER: "<f8", BOOLEAN: "?", DATETIME: "<M8[us]", ENUM: "<u4"}


def read_column(function, guest, number):
    """The values as one NumPy array where NumPy is there, else as a list."""
    numpy, kind = sys.modules.get("numpy"), function.types[number]
    if numpy is not None and kind != TEXT:
        return numpy.frombuffer(guest.column(number), NUMPY_TYPE[kind])
    values = guest.column_list(number)
    if numpy is None:
        return values
    array = numpy.empty(len(values), object)
    array[:] = values
    return array


def evaluate_columns(function, guest, columns, slots):
    """The result as check_column gives it."""
    given = [columns if name == "args" else columns[function.numbers[name]]
             for name in function.parameters]
    state = random_state() if function.text.hides else None
    result = function.run(*given)
    if function.text.hides and random_state() != state:
        raise WordBroken(RANDOM_REFUSED)
    values = check_column(function, guest, result, slots)
    if function.after:
        function.after()
    return values


def random_state():
    """Whether random numbers were drawn, where the text does not tell: it takes 50 us to ask."""
    modules = sys.modules
    state = [modules["random"].getstate()] if "random" in modules else []
    if "numpy.random" in modules:
        name, keys, *rest = modules["numpy.random"].get_state()
        state += [keys.tobytes(), rest]
    return state


def check_column(function, guest, result, slots):
    """The slots as an array that holds the result, where it is an array; else a list of checked
    values."""
    numpy, rows = sys.modules.get("numpy"), len(slots) // 8
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
            target = numpy.frombuffer(slots, "<f8" if function.return_type == NUMBER else "<i8")
            target[:] = values
            return target
    return guest.check_list(result)


def convert_array(numpy, array, return_type):
    """An array whose elements the slots hold; None where they are to be looked at one by one."""
    kind = array.dtype.kind
    if return_type == NUMBER and kind in "fiu" or return_type == BOOLEAN and kind == "b":
        return array
    if return_type == ENUM and kind in "iu":
        return array if ((array >= 0) & (array <= 0xFFFFFFFF)).all() else None
    if return_type == DATETIME and kind == "M":
        moments = array.astype("<M8[us]")
        values = moments.view("<i8")
        if not (moments == array).all():  # NaT is equal to nothing
            raise Refused("result is not a time in whole microseconds")
        if not ((values >= FIRST_MOMENT) & (values <= LAST_MOMENT)).all():
            raise Refused(DATETIME_RANGE)
        return values
    return None


def is_same(left, right, return_type):
    """-0.0 and 0.0 are not, NaN and NaN are."""
    return float.hex(left) == float.hex(right) if return_type == NUMBER else left == right


def evaluate_all(function, guest):
    """The result of all rows, checked."""
    words, slots = function.text.words, guest.slots()
    if "random" in words or "default_rng" in words:
        raise WordBroken(RANDOM_REFUSED)
    columns = [read_column(function, guest, number) for number in range(len(function.types))]
    values = evaluate_columns(function, guest, columns, slots)
    rows = len(slots) // 8
    for row in (0, rows - 1) if rows > 1 else ():
        one = [column[row:row + 1] for column in columns]
        alone = evaluate_columns(function, guest, one, memoryview(bytearray(8)))
        if not is_same(values[row], alone[0], function.return_type):
            raise WordBroken(NOT_ALONE % row)
    return values


def run_vectorized(function, guest):
    try:
        values = evaluate_all(function, guest)
    except BaseException as failure:
        write_failure(guest, failure, True)
        if function.after:
            function.after()
        return DONE_REFUSED if isinstance(failure, WordBroken) else DONE_ROWS
    if isinstance(values, list):
        guest.store_list(values)
    else:
        guest.store_slots()
    return DONE_ROWS
