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
DONE_ROWS, DONE_REFUSED = 0, 1
VECTORIZED, SEAL, OWN_TMP = 1, 2, 4
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
TOO_LARGE_BODY = "MemoryError: function body is too large or too deeply nested"
RANDOM_REFUSED = "vectorized body draws random numbers"
DATETIME_RANGE = "result out of range: DateTime is in the years 0001 to 9999"
NOT_ALONE = "vectorized body does not treat each row alone: row %d differs"


WORLD = {}  # what this process is: see save_world; end: the line of what is ours in the body's code


class Refused(Exception):
    """The result is not one; the message is final."""


class WordBroken(Refused):
    """A vectorized body that does not do what the word says: the whole batch is refused."""


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
        sealed = call_function(dlsym(dlopen(guest, 2), "xf_guest_seal"), ())
    except OSError as failure:
        raise Failure(FAILURE_SEAL, str(failure))
    if sealed < 0:
        raise Failure(FAILURE_SEAL, posix.strerror(-sealed))
    return sealed
