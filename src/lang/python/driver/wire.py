# The driver of Python bodies: runs inside a worker (CPython 3.9 or newer), speaks the protocol of
# src/wire/wire.h on descriptors 3 to 6. Its argument is the path of the guest library. The drivers
# of all languages have the same sections and function names. SPDX-License-Identifier: MIT
import _ast
import _imp
import gc
import posix
import sys
from posix import _exit, write

# A body may replace anything in builtins; the functions below keep what is there now.
import builtins
__builtins__ = dict(vars(builtins))

# ---- Numbers of wire.h ----

MAGIC, VERSION = 0x6E667865, 1
REQUEST_PIPE, REPLY_PIPE, REPLY_MAP = 3, 4, 6
SETUP, CALL = 1, 2
READY, FAILED, DONE = 16, 17, 18
DONE_ROWS, DONE_REFUSED, DONE_WORN = 0, 1, 2
VECTORIZED, SEAL, OWN_TMP = 1, 2, 4
FAILURE_BODY, FAILURE_LANGUAGE, FAILURE_SEAL = 1, 2, 3
ERROR, MEMORY = 2, 3
NUMBER, BOOLEAN, TEXT, DATETIME, ENUM = 1, 2, 3, 4, 5
TYPE_TEXT = {NUMBER: "Number", BOOLEAN: "Boolean", TEXT: "Text", DATETIME: "DateTime", ENUM: "Enum"}
VALUE_LIMIT, MESSAGE_LIMIT = 16 << 20, 1900

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


# ---- Setup ----

class Library:
    """What the import system is told of the guest library."""

    name = "xf_guest"

    def __init__(self, path):
        self.origin = path


def load_guest(path):
    """The module that speaks with the host."""
    if "t" in sys.abiflags:
        raise ImportError("a Python without the global lock is not supported")
    guest = _imp.create_dynamic(Library(path))
    sys.modules.pop(Library.name, None)
    return guest


def refuse_to_start(message):
    """Answers SETUP without the guest library: one text slot, whose text lies behind it."""
    import mmap
    from struct import pack, unpack_from
    frame = posix.read(REQUEST_PIPE, 24)
    reply, slot, heap = mmap.mmap(REPLY_MAP, 64 << 20), 4160, 4224
    reply[heap:heap + len(message)] = message
    reply[slot:slot + 8] = pack("<II", heap, len(message))
    reply[4096] = ERROR
    call, = unpack_from("<I", frame, 8)
    write(REPLY_PIPE, pack("<IHHIIII", MAGIC, VERSION, FAILED, call, 0, 1, FAILURE_LANGUAGE))
    _exit(0)


def read_setup(guest):
    function = Function()
    (function.flags, function.return_type, function.types, function.arg_names,
     function.body) = guest.read_setup()
    return function


def seal(guest):
    sealed = guest.seal()
    if sealed < 0:
        raise Failure(FAILURE_SEAL, posix.strerror(-sealed))
    return sealed


# ---- Frames ----

def read_frame(guest, expected):
    """Ends the process when the host is gone."""
    frame_type = guest.read_frame()
    if frame_type != expected:
        _exit(2 if frame_type else 0)


def send_frame(guest, frame_type, detail):
    flush_output()
    if not guest.send_frame(frame_type, detail):
        _exit(2)


# ---- Rows that failed ----

def write_failure(guest, failure, is_for_all=False):
    """Ends the row under way, or all that are left."""
    sys.setrecursionlimit(WORLD["recursion"])
    status, message = describe_failure(failure)
    guest.write_error(message, status == MEMORY, is_for_all)
