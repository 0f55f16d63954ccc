# Results checked against the declared type, failures told. SPDX-License-Identifier: MIT

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
    if kind in (Refused, WordBroken):
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
