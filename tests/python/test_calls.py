"""Single calls: languages, types, errors. SPDX-License-Identifier: MIT"""
import datetime
import math
import pickle
import unittest

import bodies
import extfn
import numpy
import pandas

UTC = datetime.UTC
WHEN = datetime.datetime(2025, 1, 2, 3, 4, 5, 123000, UTC)
VALUES = {
    "Number": [3.5, -0.0, 2.0 ** 53, math.inf],
    "Boolean": [True, False],
    "Text": ["", "Grüße, 🌍"],
    "DateTime": [WHEN, datetime.datetime(1970, 1, 1, tzinfo=UTC)],
    "Enum": [0, 2 ** 32 - 1],
}


class Languages(unittest.TestCase):
    def check(self, language):
        for word, values in VALUES.items():
            function = bodies.identity(language, word)
            for value in values:
                with self.subTest(language, type=word, value=value):
                    try:
                        result = function(value)
                    except extfn.LanguageUnavailable as error:
                        bodies.skip_without(language, error)
                    self.assertEqual((repr(value), type(value)), (repr(result), type(result)))

    def test_python(self):
        self.check("Python")

    def test_r(self):
        self.check("R")

    def test_julia(self):
        self.check("Julia")

    def test_wasm(self):
        self.check("Wasm")


class Arguments(unittest.TestCase):
    def test_by_name_and_by_place(self):
        function = bodies.make("result = x - y")
        self.assertEqual(function(5, 3), 2.0)
        self.assertEqual(function(y=3, x=5), 2.0)
        self.assertEqual(function(5, y=3), 2.0)
        with self.assertRaisesRegex(TypeError, "argument 'x' is given twice"):
            function(5, x=3)
        with self.assertRaisesRegex(TypeError, "argument 'y' is not given"):
            function(5, z=3)

    def test_what_stands_for_a_value(self):
        for word, given, wanted in [
                ("Number", 3, 3.0), ("Number", numpy.float32(0.5), 0.5),
                ("Number", numpy.int64(-7), -7.0), ("Number", 2 ** 100, 2.0 ** 100),
                ("Boolean", numpy.bool_(True), True), ("Enum", numpy.uint8(7), 7),
                ("Text", numpy.str_("a"), "a"), ("DateTime", pandas.Timestamp(WHEN), WHEN),
                ("DateTime", WHEN.replace(tzinfo=None), WHEN),
                ("DateTime", WHEN.astimezone(datetime.timezone(datetime.timedelta(hours=5))), WHEN),
                ("DateTime", datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, UTC),
                 datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, UTC)),
                ("DateTime", datetime.datetime(1, 1, 1, tzinfo=UTC),
                 datetime.datetime(1, 1, 1, tzinfo=UTC))]:
            with self.subTest(type=word, given=given):
                self.assertEqual(bodies.identity("Python", word)(given), wanted)

    def test_what_does_not(self):
        for word, given, error, message in [
                ("Number", True, extfn.TypeMismatch,
                 "function same: argument 0 type mismatch, expected Number, got bool"),
                ("Number", "3", extfn.TypeMismatch, "got str"),
                ("Number", 2 ** 53 + 1, extfn.InvalidArgument,
                 "argument 0: no Number is exactly 9007199254740993"),
                ("Number", 10 ** 400, extfn.InvalidArgument, "no Number is as large"),
                ("Boolean", 1, extfn.TypeMismatch, "expected Boolean, got int"),
                ("Text", b"a", extfn.TypeMismatch, "expected Text, got bytes"),
                ("Text", "\ud800", extfn.InvalidArgument, "surrogates not allowed"),
                ("Enum", 1.0, extfn.TypeMismatch, "expected Enum, got float"),
                ("Enum", -1, extfn.InvalidArgument, "an Enum is 0 to 4294967295, not -1"),
                ("Enum", 2 ** 64, extfn.InvalidArgument, "an Enum is"),
                ("DateTime", WHEN.date(), extfn.TypeMismatch, "expected DateTime, got date"),
                ("DateTime", pandas.Timestamp(1, unit="ns"), extfn.InvalidArgument,
                 "no whole number of microseconds"),
                ("DateTime", pandas.NaT, extfn.MissingInput, "missing input: x"),
                ("Text", None, extfn.MissingInput, "function same: missing input: x")]:
            with self.subTest(type=word, given=given), self.assertRaisesRegex(error, message):
                bodies.identity("Python", word)(given)


class Errors(unittest.TestCase):
    def test_a_body_that_raises(self):
        function = bodies.make("import sys\nprint('seen')\nprint('bad', file=sys.stderr)\n"
                               "raise ValueError('nope')")
        with self.assertRaises(extfn.FunctionError) as caught:
            function(1, 2)
        self.assertEqual("ValueError: nope (line 4)", str(caught.exception))
        self.assertEqual(("seen\n", "bad\n"), (caught.exception.stdout, caught.exception.stderr))
        self.assertIsNone(caught.exception.row)

    def test_each_has_its_class(self):
        with self.assertRaisesRegex(extfn.ArityMismatch, r"expected 2 argument\(s\), got 1"):
            bodies.make("result = 1")(1)
        with self.assertRaisesRegex(TypeError, "expected 2"):
            bodies.make("result = 1")(1)
        with extfn.Host(interpreters={"python": "/nowhere/python3"}) as host, \
                self.assertRaises(extfn.LanguageUnavailable):
            host.call(bodies.make("result = 1"), 1, 2)
        with extfn.Host(search_path="/nowhere", allow_unsandboxed=False) as host, \
                self.assertRaisesRegex(extfn.SandboxError, "bubblewrap|bwrap"):
            host.call(bodies.make("result = 1"), 1, 2)
        with extfn.Host(search_path="/nowhere", allow_unsandboxed=True) as host, \
                self.assertWarnsRegex(RuntimeWarning, "ran without sandbox"):
            self.assertEqual(1.0, host.call(bodies.make("result = 1"), 1, 2))
        endless = bodies.make("while True: pass")
        with extfn.Host(timeout=0.2) as host, self.assertRaises(TimeoutError) as caught:
            host.call(endless, 1, 2)
        self.assertIsInstance(caught.exception, extfn.Timeout)
        with self.assertRaisesRegex(extfn.Timeout, "timed out"):
            extfn.default_host().call(endless, 1, 2, timeout=0.2)

    def test_they_can_be_pickled(self):
        error = extfn.FunctionError("nope")
        error.row, error.stderr = 3, "bad"
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual(("row 3: nope", "bad"), (str(copy), copy.stderr))


class Hosts(unittest.TestCase):
    def test_options_are_checked(self):
        for options in ({"policy": "none"}, {"timeout": 0}, {"timeout": -1},
                        {"packages": {"cobol": "/"}}):
            with self.subTest(options), self.assertRaises(ValueError):
                extfn.Host(**options)
        with self.assertRaises(TypeError):
            extfn.Host(memory="1G")

    def test_a_memo_answers(self):
        function = bodies.make("import os\nresult = float(int.from_bytes(os.urandom(6)))")
        with extfn.Host(memo_bytes=1 << 20) as host:
            self.assertEqual(host.call(function, 1, 2), host.call(function, 1, 2))
            self.assertEqual(host.stats()["memo_hits"], 1)

    def test_a_closed_one_evaluates_nothing(self):
        host = extfn.Host()
        self.assertEqual(host.call(bodies.make("result = x"), 1, 2), 1)
        host.close()
        host.close()
        with self.assertRaisesRegex(extfn.InvalidArgument, "closed"):
            host.call(bodies.make("result = x"), 1, 2)

    def test_another_default_host(self):
        mine = extfn.Host()
        former = extfn.set_default_host(mine)
        try:
            self.assertIs(extfn.default_host(), mine)
            self.assertEqual(bodies.make("result = x")(1, 2), 1)
            self.assertEqual(mine.stats()["workers_started"], 1)
        finally:
            extfn.set_default_host(former)
            mine.close()
