# The Python driver against the wire protocol: values in and out, failures, frames.
# SPDX-License-Identifier: MIT
import math
import struct
import unittest

import harness
from harness import MEMORY, Lost, RowError
from python_case import Case, INF, NAN, TYPE_OF, bits, moment, run, start


class Results(Case):
    def test_number(self):
        for expected, text in [(1.5, "1.5"), (7.0, "7"), (-0.0, "-0.0"), (5e-324, "5e-324"),
                               (INF, "1e999"), (2.0 ** 53, "2**53+1"), (1e300, "10**300"),
                               (2.0 ** 53 + 4, "2**53+3"), (3.0, "IntEnum('E', 'a b c').c"),
                               (1.5, "F(1.5)"), (4.0, "I(4)")]:
            classes = ("from enum import IntEnum\n"
                       "class F(float):\n  def __float__(self): return 0\n"
                       "class I(int):\n  def __index__(self): return 0\n")
            with self.subTest(text=text):
                body = (classes if "(" in text else "") + "result = " + text
                self.assertEqual(bits([expected]), bits(run(body)))
        self.assertTrue(math.isnan(run("result = float('nan')")[0]))

    def test_number_refuses_others(self):
        for got, text in [("Boolean True", "True"), ("Text 'abc'", "'abc'"), ("None", "None"),
                          ("complex 1j", "1j"), ("list [1.0]", "[1.0]"), ("tuple ()", "()"),
                          ("Decimal Decimal('1')", "__import__('decimal').Decimal(1)"),
                          ("Fraction Fraction(1, 2)", "__import__('fractions').Fraction(1, 2)"),
                          ("type <class 'int'>", "int"), ("bytes b'1'", "b'1'"),
                          ("Text '" + "x" * 60 + "'", "'x' * 10**6"), ("ellipsis Ellipsis", "...")]:
            self.check_error("return type mismatch: expected Number, got " + got,
                             "result = " + text)
        self.check_error("result out of range: integer too large for a Number",
                         "result = 10 ** 400")

    def test_boolean(self):
        self.check_value(True, "result = 1 < 2", returns="Boolean")
        self.check_value(False, "result = not 1", returns="Boolean")
        for got, text in [("Number 1", "1"), ("Number 0.0", "0.0"), ("Text 'True'", "'True'"),
                          ("None", "None")]:
            self.check_error("return type mismatch: expected Boolean, got " + got,
                             "result = " + text, returns="Boolean")

    def test_text(self):
        for text in ["", "abc", "\u00e9\u4e2d\U0001f600", "a\0b", "x" * 100000]:
            self.check_rows([text, text], "result = x", [text, text], names=["x"], returns="Text")
        self.check_value("sub", "class S(str):\n  def encode(self, *_): return 5\n"
                                "result = S('sub')", returns="Text")
        self.check_error("result is not valid Unicode text", "result = '\\ud800'",
                         returns="Text")
        for got, text in [("Number 1", "1"), ("bytes b'a'", "b'a'"), ("Boolean True", "True")]:
            self.check_error("return type mismatch: expected Text, got " + got,
                             "result = " + text, returns="Text")

    def test_text_has_a_limit(self):
        size = 16 << 20
        self.assertEqual(size, len(run("result = 'x' * %d" % size, returns="Text")[0]))
        self.check_error("result too large: 17 MiB, the limit is 16 MiB",
                         "result = 'x' * %d" % (size + 1), returns="Text")

    def test_datetime(self):
        new = "from datetime import *\nresult = "
        for expected, text in [
            (moment(2025, 1, 2, 3, 4, 5), "datetime(2025, 1, 2, 3, 4, 5)"),
            (moment(2025, 1, 2, 1, 4, 5, 7),
             "datetime(2025, 1, 2, 3, 4, 5, 7, timezone(timedelta(hours=2)))"),
            (moment(1, 1, 1), "datetime.min"),
            (moment(9999, 12, 31, 23, 59, 59, 999999), "datetime.max"),
            (moment(1969, 12, 31, 23, 59, 59, 999999),
             "datetime(1970, 1, 1) - timedelta(microseconds=1)"),
        ]:
            self.check_value(expected, new + text, returns="DateTime")
        self.check_value(moment(2025, 1, 1), "from datetime import *\nclass Z(tzinfo):\n"
                         "  def utcoffset(self, _): return None\n"
                         "class D(datetime):\n  def __sub__(self, _): return 5\n"
                         "result = D(2025, 1, 1, tzinfo=Z())", returns="DateTime")
        for text in ["datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1)))",
                     "datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-1)))"]:
            self.check_error("result out of range: DateTime is in the years 0001 to 9999",
                             new + text, returns="DateTime")
        self.check_error("return type mismatch: expected DateTime, got date "
                         "datetime.date(2025, 1, 1)", new + "date(2025, 1, 1)",
                         returns="DateTime")
        self.check_error("return type mismatch: expected DateTime, got Number 5", "result = 5",
                         returns="DateTime")
        self.check_error("return type mismatch: expected Number, got DateTime "
                         "datetime.datetime(2025, 1, 1, 0, 0)", new + "datetime(2025, 1, 1)")
        self.check_error("ValueError: zone (line 3)", "from datetime import *\nclass Z(tzinfo):\n"
                         "  def utcoffset(self, _): raise ValueError('zone')\n"
                         "result = datetime(2025, 1, 1, tzinfo=Z())", returns="DateTime")

    def test_enum(self):
        for value in [0, 7, 2**32 - 1]:
            self.check_value(value, "result = %d" % value, returns="Enum")
        for got, text in [("Boolean True", "True"), ("Number 7.0", "7.0"), ("Text '7'", "'7'")]:
            self.check_error("return type mismatch: expected Enum, got " + got,
                             "result = " + text, returns="Enum")
        for value in [-1, 2**32]:
            self.check_error("result out of range: Enum is 0 to 4294967295, got Number %d" % value,
                             "result = %d" % value, returns="Enum")

    def test_results_that_misbehave_are_refused(self):
        for body in ["class A:\n  def __repr__(self): raise SystemExit\nresult = A()",
                     "class A:\n  __class__ = float\nresult = A()",
                     "class M(type):\n  __name__ = property(lambda s: 1 / 0)\n"
                     "class A(metaclass=M): pass\nresult = A()",
                     "class A:\n  def __getattribute__(self, n): raise KeyError\nresult = A()"]:
            for returns in ["Number", "Boolean", "Text", "DateTime", "Enum"]:
                with self.subTest(body=body, returns=returns):
                    row = run(body, returns=returns)[0]
                    self.assertTrue(row.message.startswith(
                        "return type mismatch: expected %s, got A" % returns), row)


class Arguments(Case):
    def test_each_type_arrives_as_the_contract_says(self):
        numbers = [0.1, -0.0, INF, 5e-324, 2.0 ** 53]
        self.assertEqual(bits(numbers), bits(run("result = args[0]", numbers)))
        self.assertTrue(math.isnan(run("result = args[0]", [NAN])[0]))
        for value, kind in [(1.0, "float"), (True, "bool"), ("a", "str"), (5, "int"),
                            (moment(2025, 1, 1), "datetime")]:
            self.check_rows([kind], "result = type(args[0]).__name__", [value], returns="Text")
            self.check_rows([value], "result = args[0]", [value], returns=TYPE_OF[type(value)])
        self.check_rows(["UTC"], "result = str(x.tzinfo)", [moment(2025, 1, 1)], names=["x"],
                        returns="Text")

    def test_datetimes_keep_their_microseconds(self):
        moments = [moment(1, 1, 1), moment(9999, 12, 31, 23, 59, 59, 999999),
                   moment(1969, 12, 31, 23, 59, 59, 999999), moment(2038, 1, 19, 3, 14, 8, 1)]
        self.check_rows(moments, "result = x", moments, names=["x"], returns="DateTime")

    def test_no_arguments(self):
        self.check_rows([0.0, 0.0], "result = len(args)", rows=2)


class Errors(Case):
    def test_type_message_and_line(self):
        for expected, body in [
            ("ValueError: nope (line 3)", "\n\nraise ValueError('nope')"),
            ("ValueError (line 1)", "raise ValueError"),
            ("KeyError: 'a' (line 1)", "result = {}['a']"),
            ("KeyError: 0 (line 2)", "def f(x):\n  return {}[x]\nf(0)"),
            ("NameError: name 'nothing' is not defined (line 2)", "x = 1\nresult = nothing"),
            ("E: own text (line 6)",
             "p = 'own '\nclass E(Exception):\n  def __str__(self):\n    return p + 'text'\n\n"
             "raise E"),
            ("E (line 3)", "class E(Exception):\n  def __str__(self): raise SystemExit\nraise E"),
            ("E: a (line 5)", "class T(str):\n  def __add__(self, o): 1/0\n"
             "class E(Exception):\n  __str__ = lambda s: T('a')\nraise E"),
            ("SystemExit: 3 (line 2)", "import sys\nsys.exit(3)"),
            ("SystemExit (line 1)", "raise SystemExit"),
            ("KeyboardInterrupt (line 1)", "raise KeyboardInterrupt"),
            ("GeneratorExit (line 1)", "raise GeneratorExit"),
            ("EOFError: EOF when reading a line (line 1)", "result = input()"),
            ("AssertionError (line 1)", "assert 0"),
            ("E: a\\0b\\ud800 (line 2)", "class E(Exception): pass\nraise E('a\\0b\\ud800')"),
            ("ValueError: nope (line 4)", "try:\n  1 / 0\nexcept Exception:\n"
                                          "  raise ValueError('nope') from None"),
            ("JSONDecodeError: Expecting value: line 1 column 1 (char 0) (line 2)",
             "import json\njson.loads('x')"),
            ("ValueError: nope (line 2)", "global q\nraise ValueError('nope')"),
        ]:
            self.check_error(expected, body)

    def test_syntax_errors_at_run_time_have_the_line_of_the_body(self):
        row = run("x = 1\nexec('1 = =')")[0]
        self.assertRegex(row.message, r"^SyntaxError: [a-z ]* \(line 2\)$")

    def test_exhausted_memory_has_a_status_of_its_own(self):
        self.check_rows([1.0, RowError("", MEMORY), 3.0],
                        "result = x if x != 2 else len(bytearray(1 << 62))", [1.0, 2.0, 3.0],
                        names=["x"])

    def test_recursion_is_an_ordinary_error(self):
        row = run("def f(): return f()\nresult = f()")[0]
        self.assertRegex(row.message, r"^RecursionError: maximum recursion depth exceeded")
        self.check_rows([1.0, 1.0], "import sys\nsys.setrecursionlimit(60)\n"
                                    "def f(n): return n and f(n - 1)\n"
                                    "try: f(100)\nexcept RecursionError: result = 1", rows=2)

    def test_long_messages_are_cut_at_a_character(self):
        message = run("raise ValueError('\u00e9' * 5000)")[0].message
        self.assertTrue(message.endswith("\u00e9 (line 1)"))
        self.assertTrue(1898 <= len(message.encode()) <= 1900)

    def test_a_failing_row_fails_alone(self):
        column = [float(i % 3) for i in range(3000)]
        failure = RowError("ValueError: 0.0 (line 1)")
        expected = [1 / x if x else failure for x in column]
        for extra in ["", "\nglobal q", "\nif 0: return 1"]:
            self.check_rows(expected, "if not x: raise ValueError(x)\nresult = 1 / x" + extra,
                            column, names=["x"])

    def test_every_row_may_fail(self):
        rows = run("raise ValueError(args[0])", [float(i) for i in range(5000)])
        self.assertEqual(RowError("ValueError: 4999.0 (line 1)"), rows[-1])


class Frames(Case):
    def test_a_worker_answers_many_calls(self):
        with start() as worker:
            worker.setup("result = args[0] * 2", ["Number"], "Number")
            for rows in [1, 7, 1, 20000]:
                values = [float(i) for i in range(rows)]
                self.assertEqual([2 * value for value in values], worker.call([values]))
            self.assertEqual([], worker.call([[]]))
            self.assertEqual(0, worker.finish())

    def test_the_largest_call(self):
        values = [float(i) for i in range(1 << 20)]
        self.assertEqual(values, run("result = args[0]", values))

    def test_a_full_heap_is_emptied_by_the_host(self):
        size = 3 << 20
        with start() as worker:
            worker.setup("import os\nos.umask(0)\nresult = chr(int(x)) * %d" % size, ["Number"],
                         "Text", names=["x"])
            rows = worker.call([[float(65 + i) for i in range(50)]])
            self.assertGreaterEqual(worker.fulls, 2)
        self.assertEqual([chr(65 + i) * size for i in range(50)], rows)

    def test_a_row_that_finds_the_heap_full_is_not_evaluated_again(self):
        with start() as worker:
            worker.setup("print('row')\nresult = 'x' * %d" % (15 << 20), [], "Text")
            self.assertEqual(9, len(worker.call([], 9)))
            self.assertEqual(b"row\n" * 9, worker.stdout)
            self.assertGreaterEqual(worker.fulls, 2)

    def test_errors_may_fill_the_heap(self):
        rows = 40000
        got = run("raise ValueError('%5d' % x + 'x' * 1900)", [float(i) for i in range(rows)],
                  names=["x"])
        self.assertEqual(list(range(rows)), [int(row.message[12:17]) for row in got])

    def check_ends(self, worker):
        with self.assertRaises(Lost) as raised:
            worker.receive()
        self.assertIn(raised.exception.status, (0, 2))
        self.assertEqual(b"", worker.stderr)

    def test_wrong_frames_end_the_worker(self):
        for options in [{"magic": 5}, {"version": 9}, {"row_count": (1 << 20) + 1},
                        {"first_row": 3, "row_count": 2}, {"frame_type": harness.SETUP},
                        {"frame_type": harness.CONTINUE}, {"frame_type": 77}]:
            with self.subTest(options=options), start() as worker:
                worker.setup("result = 1")
                worker.send(**{"frame_type": harness.CALL, "row_count": 1, **options})
                self.check_ends(worker)

    def test_columns_outside_the_map_end_the_worker(self):
        for offset in [harness.MAP_SIZE - 4, 0xFFFFFFC0]:
            with start() as worker:
                worker.setup("result = args[0]", ["Number"])
                worker.request[4096:4104] = struct.pack("<II", offset, 0)
                worker.send(harness.CALL, 0, 1)
                self.check_ends(worker)

    def test_a_closed_pipe_ends_the_worker_quietly(self):
        with start() as worker:
            self.assertEqual((0, b""), (worker.finish(), worker.stderr))
        with start() as worker:
            worker.setup("import atexit\natexit.register(print, 'left')\nresult = 1").call()
            worker.send_bytes(b"exf")
            self.assertEqual((0, b""), (worker.finish(), worker.stdout + worker.stderr))

    def test_dead_workers_leave_what_was_done(self):
        with start() as worker:
            worker.setup("import os\nif x == 3: os._exit(7)\nresult = x", ["Number"], names=["x"])
            with self.assertRaises(Lost) as raised:
                worker.call([[1.0, 2.0, 3.0, 4.0]])
        self.assertEqual((7, [1.0, 2.0]), (raised.exception.status, raised.exception.rows))


if __name__ == "__main__":
    unittest.main()
