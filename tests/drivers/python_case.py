# Workers of the Python driver for its tests. EXTFN_TEST_PYTHON names the interpreter.
# SPDX-License-Identifier: MIT
import datetime
import math
import os
import struct
import subprocess
import unittest

from harness import Failed, RowError, Worker

PYTHON = os.environ.get("EXTFN_TEST_PYTHON", "/usr/bin/python3")
GUEST = os.environ.get("EXTFN_TEST_GUEST", "")
HERE = os.path.dirname(os.path.abspath(__file__))
DRIVER = os.environ["EXTFN_TEST_DRIVER"]  # the joined script of the build
UTC = datetime.timezone.utc
NAN, INF = math.nan, math.inf
TYPE_OF = {float: "Number", bool: "Boolean", str: "Text", datetime.datetime: "DateTime",
           int: "Enum"}
NOT_SET = RowError("function body did not set `result`")


def succeeds(*command):
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode == 0


def is_version(*version):
    return succeeds(PYTHON, "-S", "-c", "import sys; sys.exit(sys.version_info < %r)" % (version,))


IS_310, IS_311 = is_version(3, 10), is_version(3, 11)
FLAGS = ["-s", "-S", "-B"] + (["-P"] if IS_311 else [])
COMMAND = [PYTHON, *FLAGS, DRIVER, GUEST]


def find_numpy():
    for path in ["/usr/lib/python3/dist-packages"]:
        code = "import sys; sys.path[:0] = [%r]; import numpy" % path
        if succeeds(PYTHON, "-s", "-S", "-c", code):
            return path
    return None


NUMPY = find_numpy()


def start(environment=None, command=COMMAND, **options):
    environment = dict({"PYTHONHASHSEED": "0"}, **(environment or {}))
    return Worker(command, environment, **options)


def set_up(worker, body, columns, returns="Number", **options):
    types = [TYPE_OF[type(column[0])] for column in columns]
    return worker.setup(body, types, returns, **options)


def run(body, *columns, returns="Number", rows=None, environment=None, **options):
    """What the rows of one call give; the types are those of the values."""
    with start(environment) as worker:
        return set_up(worker, body, columns, returns, **options).call(columns, rows)


def bits(values):
    return [struct.pack("<d", value) for value in values]


def moment(*fields):
    return datetime.datetime(*fields, tzinfo=UTC)


class Case(unittest.TestCase):
    maxDiff = None

    def check_rows(self, expected, body, *columns, **options):
        with self.subTest(body=body):
            self.assertEqual(expected, run(body, *columns, **options))

    def check_value(self, expected, body, **options):
        self.check_rows([expected], body, **options)

    def check_error(self, message, body, **options):
        self.check_rows([RowError(message)], body, **options)

    def check_refused(self, message, body, *columns, **options):
        with self.subTest(body=body):
            with self.assertRaises(Failed) as raised:
                run(body, *columns, **options)
            self.assertEqual("body", raised.exception.reason)
            self.assertRegex(raised.exception.message, message)
