# The Python driver against the wire protocol. EXTFN_TEST_PYTHON names the interpreter.
# SPDX-License-Identifier: MIT
import datetime
import math
import os
import shutil
import struct
import subprocess
import unittest

import harness
from harness import MEMORY, Failed, Lost, RowError, Worker

PYTHON = os.environ.get("EXTFN_TEST_PYTHON", "/usr/bin/python3")
GUEST = os.environ.get("EXTFN_TEST_GUEST", "")
HERE = os.path.dirname(os.path.abspath(__file__))
DRIVER = os.path.normpath(os.path.join(HERE, "../../src/lang/python/driver.py"))
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


IS_311 = is_version(3, 11)
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


class BodyForms(Case):
    def test_result_is_assigned_or_returned(self):
        self.check_rows([4.0, 6.0], "result = args[0] + args[1]", [1.0, 2.0], [3.0, 4.0])
        self.check_rows([4.0], "return args[0] + args[1]", [1.0], [3.0])
        for extra in ["", "\nglobal q"]:
            for expected, body in [
                (2, "result = 1\nreturn 2"),
                (1, "result = 1\nif result:\n  return\nresult = 2"),
                (3, "try:\n  return\nfinally:\n  result = 3"),
                (2, "for i in range(9):\n  if i == 2:\n    return i"),
                (5, "def f(): return 5\nreturn f()"),
            ]:
                self.check_value(expected, body + extra)
            self.check_error("return type mismatch: expected Number, got None",
                             "result = 1\nif 1: return None" + extra)

    def test_result_that_is_not_set_is_an_error(self):
        for body in ["", "\n", "# nothing", "pass", "x = 1", "return", "'text'", "global q",
                     "if False:\n  result = 1", "result = 1\ndel result", "result: int",
                     "def f():\n  result = 1\nf()", "class A:\n  result = 1",
                     "for result in []: pass", "global result", "if 0: return 1"]:
            self.check_rows([NOT_SET], body)

    def test_result_of_one_row_is_not_that_of_the_next(self):
        for extra in ["", "\nglobal q", "\ndef f(): return f\nf()", "\nif 0: return 1"]:
            self.check_rows([1.0, NOT_SET, 3.0], "if x != 2: result = x" + extra, [1.0, 2.0, 3.0],
                            names=["x"])

    def test_helpers_see_the_one_namespace(self):
        for extra in ["", "\nglobal unused", "\nglobal unused\nif 0: return 1"]:
            for expected, body in [
                (120, "def f(n): return 1 if n < 2 else n * f(n - 1)\nresult = f(5)"),
                (1, "def even(n): return n == 0 or odd(n - 1)\n"
                    "def odd(n): return n > 0 and even(n - 1)\nresult = 1 if even(8) else 0"),
                (12, "k = 2\nresult = sum([k * x for x in (1, 2, 3)])"),
                (12, "k = 2\nresult = sum(k * x for x in (1, 2, 3))"),
                (12, "def g(x): return 2 * x\nresult = sum(g(x) for x in (1, 2, 3))"),
                (6, "f = lambda n: 1 if n < 2 else n * f(n - 1)\nresult = f(3)"),
                (2, "import math\ndef f(x): return math.sqrt(x)\nresult = f(4)"),
                (4, "f = lambda: later\nlater = 4\nresult = f()"),
                (3, "class A:\n  k = 1\n  def f(self): return K + self.k\nK = 2\n"
                    "result = A().f()"),
                (7, "x = 7\nclass A:\n  x = x\nresult = A.x"),
                (10, "from functools import reduce\nresult = reduce(lambda a, b: a + b, "
                     "range(5))"),
                (5, "if (n := 5) > 3: result = n"),
                (4, "[last := i for i in range(5)]\nresult = last"),
                (1, "x, (y, *z) = 1, (2, 3)\nresult = x"),
                (3, "try:\n  1 / 0\nexcept ZeroDivisionError as e:\n  result = 3"),
                (2, "with open('/dev/null') as f:\n  result = 2"),
                (6, "import os.path as p\nresult = len(p.join('ab', 'cde'))"),
                (9, "result = 0\nwhile True:\n  result += 3\n  if result > 8: break"),
            ]:
                self.check_value(expected, body + extra)

    def test_global_works(self):
        self.check_value(2.0, "n = 0\ndef f():\n  global n\n  n += 1\nf()\nf()\nresult = n")
        self.check_value(5.0, "def f():\n  global result\n  result = 5\nf()")
        self.check_value(5.0, "global x\nx = 5\nresult = x")
        self.check_rows([2.0, 3.0], "def f():\n  global x\n  x += 1\nf()\nresult = x", [1.0, 2.0],
                        names=["x"])
        self.check_rows([2.0, 3.0], "def f():\n  global x\n  x += 1\nf()\nreturn x", [1.0, 2.0],
                        names=["x"])

    def test_import_star_works(self):
        for end in ["result = ", "return "]:
            self.check_value(2.0, "from math import *\n%ssqrt(4)" % end)
            self.check_value(2.0, "if True:\n  from math import *\ndef f(): return sqrt(4)\n"
                                  "%sf()" % end)
            self.check_value(4.0, "from math import *\nfrom cmath import *\n%sabs(sqrt(-16))" % end)
            self.check_error("ModuleNotFoundError: No module named 'nothing' (line 2)",
                             "\nfrom nothing import *\n%s1" % end)
        self.check_error("ImportError: attempted relative import with no known parent package "
                         "(line 1)", "from . import x")

    def test_names_of_builtins_may_be_used_before_they_are_taken(self):
        self.check_rows([3.0, 3.0], "max = max(1, 3)\nresult = max", rows=2)
        self.check_value(3.0, "if False: sum = 1\nresult = sum([1, 2])")
        self.check_value(6.0, "def f(): return len([1, 2, 3])\nn = f()\ndef len(x): return 9\n"
                              "return n * 2")

    def test_dynamic_names_work(self):
        for extra in ["", "\nif 0: return 1"]:
            for expected, body in [
                (5, "exec('q = 5')\nresult = q"),
                (3, "k = 3\nresult = sum([eval('k') for _ in [1]])"),
                (4, "globals()['q'] = 4\nresult = q"),
                (1, "q = 1\nresult = len([n for n in vars() if n == 'q'])"),
                (1, "result = 1 if __name__ == '__main__' else 0"),
                (7, "import __main__\nx = 7\nresult = __main__.x"),
                (2, "import pickle\nclass A: k = 2\n"
                    "result = pickle.loads(pickle.dumps(A())).k"),
                (2, "import typing\nfrom dataclasses import dataclass\n@dataclass\n"
                    "class A:\n  x: 'B'\nclass B: pass\n"
                    "result = 2 if typing.get_type_hints(A)['x'] is B else 1"),
            ]:
                self.check_value(expected, body + extra)
        self.check_value("doc", "'doc'\nresult = __doc__", returns="Text")

    def test_annotations_are_allowed(self):
        for extra in ["", "\nglobal q", "\nglobal q\nif 0: return 1"]:
            self.check_value(5.0, "x: int = 5\nresult: float = x" + extra)
            self.check_value(5.0, "if True:\n  x: int\nx = 5\nresult = x" + extra)
            self.check_value(5.0, "class A: pass\na = A()\na.x: int = 5\nresult = a.x" + extra)

    def test_future_imports_come_first(self):
        for end in ["result = ", "return "]:
            self.check_value(5.0, "from __future__ import annotations\nx: unknown = 5\n"
                                  "def f(a: unknown): return a\n%sf(x)" % end)
            self.check_value(5.0, "'doc'\nfrom __future__ import annotations\n"
                                  "from __future__ import division\n%s5" % end)
            self.check_refused(r"SyntaxError: from __future__ imports must occur at the beginning "
                               r"of the file \(line 2\)",
                               "x = 1\nfrom __future__ import annotations\n%s5" % end)

    def test_layout_of_the_text_is_free(self):
        for body in ["if True:\n\tresult = 1", "if True:\r\n  result = 1\r\n",
                     "if True:\r  result = 1\r", "\ufeffresult = 1", "'''doc'''\nresult = 1",
                     "result = 1", "result = \\\n1", "\n\n\nresult = 1\n\n", "result = 1 # end",
                     "# -*- coding: latin-1 -*-\nresult = len('\u00e9')", "result = 1;"]:
            self.check_value(1.0, body)

    def test_strings_keep_their_text_and_lines(self):
        self.check_value("a\n  b\n\tc", "result = '''a\n  b\n\tc'''", returns="Text")
        self.check_value("a\nb", "result = '''a\r\nb'''", returns="Text")

    def test_arguments_have_names(self):
        for extra in ["", "\nglobal q", "\nif 0: return 1"]:
            self.check_rows([3.0], "result = x + y" + extra, [1.0], [2.0], names=["x", "y"])
            self.check_rows([4.0], "result = x + args[1] + args[0]" + extra, [1.0], [2.0],
                            names=["x", ""])
            self.check_rows([2.0], "x += 1\nresult = x" + extra, [1.0], names=["x"])
            self.check_rows([2.0, 3.0], "args[0] += 1\nresult = args[0]" + extra, [1.0, 2.0])
            self.check_rows([1.0], "result = sum" + extra, [1.0], names=["sum"])
            self.check_rows([1.0], "result = \ufb01" + extra, [1.0], names=["\ufb01"])
            self.check_rows([1.0], "result = sum(x for i in [1])" + extra, [1.0], names=["x"])
            self.check_rows([1.0], "result = x if args == [x] else 0" + extra, [1.0], names=["x"])
            self.check_rows([2.0, 2.0], "del x\nresult = 2" + extra, [1.0, 1.0], names=["x"])
            self.check_rows([2.0], "result = body + loop - at_row" + extra, [1.0], [3.0], [2.0],
                            names=["body", "loop", "at_row"])

    def test_many_arguments(self):
        columns = [[float(i)] for i in range(300)]
        self.check_rows([sum(range(300))], "result = sum(args)", *columns)
        self.check_rows([299.0], "result = x299", *columns,
                        names=["x%d" % i for i in range(300)])

    def test_helper_messages_name_the_helper(self):
        line = " takes 0 positional arguments but 1 was given (line 2)"
        for extra in ["", "\nglobal q", "\nglobal q\nif 0: return 1"]:
            self.check_error("TypeError: f()" + line, "def f(): pass\nf(1)" + extra)
            self.check_error("TypeError: <lambda>()" + line, "f = lambda: 0\nf(1)" + extra)


class SyntaxErrors(Case):
    def test_they_fail_the_setup_with_their_line(self):
        for body in ["result = 1\nx = = 2", "result = 1\n  x = 2", "x = 1\nx ++", "\nx = ((]",
                     "\nbreak", "\ndef f():\n  nonlocal z\nresult = 1"]:
            self.check_refused(r"^(Syntax|Indentation)Error: .* \(line [23]\)$", body)
        self.check_refused(r"^SyntaxError: invalid syntax \(line 2\)$", "x = 1\nx = = 2")

    def test_a_body_is_neither_generator_nor_coroutine(self):
        outside = r"^SyntaxError: 'yield' outside function \(line %d\)$"
        self.check_refused(outside % 2, "x = 1\nyield x")
        self.check_refused(outside % 3, "if 1:\n  x = 1\n  y = [(yield from x)]")
        self.check_refused(outside % 1, "def f(x=(yield)): pass")
        self.check_refused("^SyntaxError: ", "x = 1\nawait x")
        self.check_refused("^SyntaxError: ", "async with x: pass")
        self.check_value(3.0, "def f():\n  yield 1\n  yield 2\nresult = sum(f())")

    def test_a_body_is_text(self):
        self.check_refused(r"^SyntaxError: source code cannot contain null bytes \(line 2\)$",
                           "x = 1\n\0")
        self.check_refused("^function body is not UTF-8 text$", b"result = '\xff'")

    def test_loop_words_need_a_loop_of_the_body(self):
        self.check_refused(r"^SyntaxError: .* \(line 1\)$", "continue")
        self.check_refused(r"^SyntaxError: 'break' outside loop \(line 1\)$", "break")

    def test_deep_text_fails_the_setup_alone(self):
        for body in ["(" * 1000 + "1" + ")" * 1000, "-" * 100000 + "1", "[" * 90 + "]" * 90,
                     "x = " + "1 + " * 50000 + "1\nresult = 1"]:
            with self.subTest(size=len(body)), start() as worker:
                try:
                    worker.setup(body, [], "Number").call([], 1)
                except Failed as failed:
                    self.assertEqual("body", failed.reason)
                except Lost as lost:  # some versions overflow the C stack
                    self.assertEqual(-11, lost.status)

    def test_warnings_about_the_text_are_not_printed(self):
        with start() as worker:
            self.assertEqual([2.0], worker.setup("x = '\\d'\nresult = 1 if x is 5 else 2").call())
            self.assertEqual(b"", worker.stderr)


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
        self.assertEqual(2, raised.exception.status)
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


class Isolation(Case):
    def test_nothing_of_a_row_outlives_it(self):
        seen = "try:\n  seen\n  result = 1\nexcept NameError:\n  result = 0\nseen = 1"
        for extra in ["", "\nglobal q", "\ndef f(): return seen", "\nimport os",
                      "\nif 0: return 3", "\nif 0: return 3\nglobal q"]:
            self.check_rows([0.0, 0.0, 0.0], seen + extra, rows=3)
        self.check_rows([1.0, 1.0], "import functools\ncalls = []\n@functools.lru_cache\n"
                                    "def f(x):\n  calls.append(x)\nf(1)\nf(1)\n"
                                    "result = len(calls)", rows=2)

    def test_the_process_is_put_right_after_each_row(self):
        bodies = [
            "import os\nresult = len(os.environ)\nos.environ['A'] = 'b'\ndel os.environ['HOME']",
            "import os\nresult = 1 if os.getenv('HOME') == '/tmp' else 0\nos.environ = {}",
            "import os\nresult = len(os.getcwd())\nos.chdir('/usr')",
            "import os\nresult = os.umask(0o77)",
            "import sys\nresult = len(sys.path)\nsys.path.append('/')",
            "import sys\nresult = len(sys.path)\nsys.path = []",
            "import sys\nresult = len(sys.argv)\nsys.argv.append('/')",
            "import sys\nresult = sys.getrecursionlimit()\nsys.setrecursionlimit(99)",
            "import sys, io\nresult = 1 if type(sys.stdout) is io.StringIO else 0\n"
            "sys.stdout = io.StringIO()",
            "import sys\nresult = 1 if sys.stdin.closed else 0\nsys.stdin.close()",
            "import decimal\nresult = decimal.getcontext().prec\ndecimal.getcontext().prec = 3",
            "import locale\nresult = len(locale.setlocale(locale.LC_ALL))\n"
            "locale.setlocale(locale.LC_ALL, 'C')",
            "import warnings\nresult = len(warnings.filters)\nwarnings.simplefilter('error')",
            "import sys\nresult = 1 if sys.gettrace() else 0\nsys.settrace(lambda *_: None)",
            "import gc\nresult = 1 if gc.isenabled() else 0\ngc.disable()",
        ]
        if IS_311:
            bodies += ["import sys\nresult = sys.get_int_max_str_digits()\n"
                       "sys.set_int_max_str_digits(0)"]
        for body in bodies:
            with self.subTest(body=body):
                rows = run(body, rows=3)
                self.assertIsInstance(rows[0], float)
                self.assertEqual(rows[:1] * 3, rows)
                failing = run(body + "\nif args[0]: raise ValueError", [1.0, 0.0, 0.0])
                self.assertEqual(rows[:2], failing[1:])

    def test_random_numbers_are_those_of_the_first_row(self):
        for body in ["import random\nresult = random.random()",
                     "from statistics import NormalDist\nresult = NormalDist(0, 1).samples(1)[0]",
                     "import tempfile, random\nresult = random.random()",
                     "r = __import__('ran' + 'dom')\nresult = r.random()",
                     "def f():\n  from random import choice\n  return choice(range(9999))\n"
                     "result = f()"]:
            with self.subTest(body=body):
                rows = run(body, rows=3)
                self.assertIsInstance(rows[0], float)
                self.assertEqual(rows[:1] * 3, rows)
                self.assertEqual(rows, run(body, rows=3))

    def test_warnings_of_the_body_are_printed_for_every_row(self):
        with start() as worker:
            worker.setup("import warnings\nwarnings.warn('careful')\nresult = 1").call([], 3)
            self.assertEqual(3, worker.stderr.count(b"careful"))

    def test_memory_of_recursive_helpers_is_given_back(self):
        body = ("import resource\ndata = bytearray(30 << 20)\n"
                "def f(n): return f(n - 1) if n else len(data)\nf(3)\n"
                "result = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024")
        self.assertLess(run(body, rows=50)[-1], 150)

    def test_the_driver_is_out_of_reach(self):
        for body in ["import __main__\nresult = 1 if hasattr(__main__, 'main') else 0",
                     "result = 1 if 'read_frame' in globals() else 0",
                     "import sys\nresult = len(sys.argv) - 1"]:
            self.check_value(0.0, body)
        self.check_rows(["ok", "ok"], "import builtins, os, struct\n"
                        "builtins.len = builtins.type = builtins.memoryview = None\n"
                        "builtins.isinstance = builtins.issubclass = builtins.str = None\n"
                        "os.read = os.write = os._exit = None\n"
                        "import posix\nposix.read = posix.write = None\nstruct.Struct = None\n"
                        "result = 'ok'", returns="Text", rows=2)
        self.assertEqual(1.0, run("import sys\nsys.modules.clear()\nresult = 1", rows=2)[0])

    def test_sys_path_has_no_script_directory(self):
        self.check_value(0.0, "import sys\nresult = sys.path.count(%r)" % os.path.dirname(DRIVER))


class Output(Case):
    def run_printing(self, body, rows=1):
        with start() as worker:
            return worker.setup(body).call([], rows), worker.stdout, worker.stderr

    def test_prints_are_captured(self):
        body = "import sys\nprint('out', end='')\nprint('err', file=sys.stderr)\nresult = 1"
        self.assertEqual(([1.0, 1.0], b"outout", b"err\nerr\n"), self.run_printing(body, 2))
        self.assertEqual(([1.0], b"\\ud800\xc3\xa9\n", b""),
                         self.run_printing("print('\\ud800\u00e9')\nresult = 1"))

    def test_prints_before_an_error_or_death_are_captured(self):
        self.assertEqual(b"a", self.run_printing("print('a', end='')\n1/0")[1])
        with start() as worker:
            worker.setup("import os\nprint('before')\nos.abort()")
            with self.assertRaises(Lost) as raised:
                worker.call()
            self.assertEqual((-6, b"before\n"), (raised.exception.status, worker.stdout))

    def test_a_closed_or_replaced_stdout_spoils_nothing(self):
        for text in ["sys.stdout.close()", "sys.stdout = None", "del sys.stdout",
                     "sys.stdout.detach()", "sys.stdout.buffer.close()", "sys.stdout = 5"]:
            with self.subTest(text=text):
                rows, out, _ = self.run_printing("import sys\nprint('a')\n%s\nresult = 1" % text, 3)
                self.assertEqual(([1.0] * 3, b"a\n" * 3), (rows, out))

    def test_closed_descriptors_cost_at_most_the_worker(self):
        rows, _, _ = self.run_printing("import os\nfor i in 0, 1, 2:\n  try: os.close(i)\n"
                                       "  except OSError: pass\nresult = 1", 2)
        self.assertEqual([1.0, 1.0], rows)
        for fd in [3, 4]:
            with start() as worker, self.assertRaises(Lost):
                worker.setup("import os\nos.close(%d)\nresult = 1" % fd)
                worker.call()
                worker.call()

    def test_frames_are_not_on_stdout(self):
        rows, out, _ = self.run_printing("import os\nos.write(1, b'exfn' * 6)\nresult = 1")
        self.assertEqual(([1.0], b"exfn" * 6), (rows, out))

    def test_modules_that_print_when_loaded_are_silent(self):
        self.assertEqual(([1.0], b"", b""), self.run_printing("import this\nresult = 1"))


class Vectorized(Case):
    numpy = None

    def run_columns(self, body, *columns, **options):
        environment = {"PYTHONPATH": self.numpy} if self.numpy else None
        return run(body, *columns, vectorized=True, environment=environment, **options)

    def check_rows(self, expected, body, *columns, **options):
        with self.subTest(body=body):
            self.assertEqual(expected, self.run_columns(body, *columns, **options))

    def check_all(self, message, body, *columns, **options):
        self.check_rows([RowError(message)] * len(columns[0]), body, *columns, **options)

    def test_columns_in_and_out(self):
        self.check_rows([2.0, 4.0, 6.0], "result = [2 * v for v in x]", [1.0, 2.0, 3.0],
                        names=["x"])
        self.check_rows([2.0], "return tuple(2 * v for v in args[0])", [1.0])
        self.check_rows([4.0, 6.0], "global q\nresult = [a + b for a, b in zip(*args)]",
                        [1.0, 2.0], [3.0, 4.0])
        self.check_rows(["aa", "\u00e9\u00e9", ""], "result = [2 * v for v in x]",
                        ["a", "\u00e9", ""], names=["x"], returns="Text")
        self.check_rows([False, True], "result = [not v for v in x]", [True, False],
                        names=["x"], returns="Boolean")
        self.check_rows([8, 1], "result = [v + 1 for v in x]", [7, 0], names=["x"],
                        returns="Enum")

    def test_datetimes(self):
        moments = [moment(2025, 1, 1, 0, 0, 0, 1), moment(1, 1, 1),
                   moment(9999, 12, 31, 23, 59, 59, 999999)]
        self.check_rows(moments, "result = x", moments, names=["x"], returns="DateTime")
        self.check_rows([moment(2025, 1, 1)] * 3, "from datetime import datetime\n"
                        "result = [datetime(2025, 1, 1) for _ in x]", moments, names=["x"],
                        returns="DateTime")

    def test_the_result_is_a_column_of_the_same_length(self):
        self.check_all("result has 3 rows, expected 2", "result = [1, 2, 3]", [1.0, 2.0])
        self.check_all("return type mismatch: expected a column of Number, got Number 1.0",
                       "result = 1.0", [1.0, 2.0])
        self.check_all("return type mismatch: expected a column of Number, got Text 'ab'",
                       "result = 'ab'", [1.0, 2.0])
        self.check_all("function body did not set `result`", "", [1.0, 2.0])
        self.check_all("return type mismatch: expected Number, got Text 'a'",
                       "result = [1.0 if v < 2 else 'a' for v in x]", [1.0, 2.0], names=["x"])

    def test_an_exception_is_that_of_every_row(self):
        self.check_all("ValueError: nope (line 2)", "\nraise ValueError('nope')", [1.0, 2.0, 3.0])
        self.check_rows([RowError("", MEMORY)] * 2, "raise MemoryError", [1.0, 2.0])

    def test_the_word_of_the_author_is_checked(self):
        self.check_all("vectorized body does not treat each row alone: row 0 differs",
                       "result = [sum(x)] * len(x)", [1.0, 2.0], names=["x"])
        self.check_all("vectorized body does not treat each row alone: row 2 differs",
                       "result = [v - x[0] * (i > 0) for i, v in enumerate(x)]", [1.0, 2.0, 3.0],
                       names=["x"])
        self.check_all("vectorized body does not treat each row alone: row 0 differs",
                       "result = [0.0 if len(x) > 1 else -0.0 for v in x]", [1.0, 2.0],
                       names=["x"])
        self.check_rows([3.0], "result = [sum(x)] * len(x)", [3.0], names=["x"])
        rows = self.run_columns("result = [v for v in x]", [NAN, NAN], names=["x"])
        self.assertTrue(all(math.isnan(row) for row in rows))

    def test_random_numbers_are_refused(self):
        self.check_all("vectorized body draws random numbers",
                       "import random\nresult = [random.random() for v in x]", [1.0, 2.0],
                       names=["x"])
        self.check_all("vectorized body draws random numbers",
                       "import tempfile, sys\nr = sys.modules['ran' + 'dom']\n"
                       "result = [r.gauss(0, 1) for v in x]", [1.0, 2.0], names=["x"])

    def test_texts_may_fill_the_heap(self):
        rows = self.run_columns("result = ['x' * %d for v in x]" % (15 << 20), [1.0] * 6,
                                names=["x"], returns="Text")
        self.assertEqual({15 << 20}, {len(row) for row in rows})


@unittest.skipIf(NUMPY is None, "no NumPy for " + PYTHON)
class VectorizedNumpy(Vectorized):
    numpy = NUMPY

    def test_arguments_are_arrays(self):
        for column, dtype in [([1.0, 2.0], "float64"), ([True, False], "bool"),
                              ([1, 2], "uint32"), (["a", "bc"], "object"),
                              ([moment(2025, 1, 1)] * 2, "datetime64[us]")]:
            self.check_rows([dtype] * 2, "result = [str(x.dtype)] * len(x)", column, names=["x"],
                            returns="Text")

    def test_arrays_are_results(self):
        self.check_rows([2.0, 4.0], "result = x * 2", [1.0, 2.0], names=["x"])
        self.check_rows([1.0, 2.0], "import numpy as np\nresult = x.astype(np.int64)",
                        [1.5, 2.5], names=["x"])
        self.check_rows([1.5, 2.5], "import numpy as np\nresult = x.astype(np.float32)",
                        [1.5, 2.5], names=["x"])
        self.check_rows([True, False], "result = x > 1", [1.5, 0.5], names=["x"],
                        returns="Boolean")
        self.check_rows([8, 9], "result = x + 1", [7, 8], names=["x"], returns="Enum")
        self.check_rows(["ab", "bb"], "result = x + 'b'", ["a", "b"], names=["x"], returns="Text")
        self.check_rows([moment(2025, 1, 2)] * 2, "import numpy as np\n"
                        "result = x + np.timedelta64(1, 'D')", [moment(2025, 1, 1)] * 2,
                        names=["x"], returns="DateTime")
        self.check_rows([1.0, 2.0, 3.0], "result = x[::-1][::-1]", [1.0, 2.0, 3.0], names=["x"])

    def test_arrays_are_checked(self):
        for message, text, returns in [
            ("return type mismatch: expected Number, got bool", "x > 1", "Number"),
            ("return type mismatch: expected Number, got complex128", "x * 1j", "Number"),
            ("return type mismatch: expected Enum, got Number", "x", "Enum"),
            ("result out of range: Enum", "(x * 0 - 1).astype(int)", "Enum"),
            ("result has 2 dimensions", "x.reshape(1, 2)", "Number"),
            ("result has 1 rows, expected 2", "x[:1]", "Number"),
            ("result is not a time", "np.array(['NaT', 'NaT'], 'M8[us]')", "DateTime"),
            ("result is not a time", "np.array([1, 1], 'M8[ns]')", "DateTime"),
            ("result out of range: DateTime", "np.array(['12000', '12000'], 'M8[us]')",
             "DateTime"),
        ]:
            with self.subTest(text=text):
                rows = self.run_columns("import numpy as np\nresult = " + text, [1.0, 2.0],
                                        names=["x"], returns=returns)
                self.assertTrue(rows[0].message.startswith(message), rows)
                self.assertEqual(rows[0], rows[1])

    def test_arguments_are_read_only(self):
        rows = self.run_columns("x[0] = 5\nresult = x", [1.0, 2.0], names=["x"])
        self.assertRegex(rows[0].message, r"^ValueError: .*read-only \(line 1\)$")

    def test_random_numbers_of_numpy_are_refused(self):
        self.check_all("vectorized body draws random numbers",
                       "import numpy as np\nresult = x + np.random.rand(len(x))", [1.0, 2.0],
                       names=["x"])

    def run_one(self, text, **options):
        body = "import numpy as np\nresult = " + text
        return run(body, environment={"PYTHONPATH": NUMPY}, **options)

    def test_scalars_of_numpy_are_results(self):
        for text in ["np.float64(3)", "np.float32(3)", "np.int8(3)", "np.uint64(3)",
                     "np.longdouble(3)", "np.array(3.0)", "np.float16(3)"]:
            with self.subTest(text=text):
                self.assertEqual([3.0], self.run_one(text))
        self.assertEqual([True], self.run_one("np.bool_(True)", returns="Boolean"))
        self.assertEqual(["a"], self.run_one("np.str_('a')", returns="Text"))
        self.assertEqual([3], self.run_one("np.uint8(3)", returns="Enum"))
        for text in ["np.bool_(True)", "np.complex128(1)", "np.array([1.0])", "np.str_('a')",
                     "np.datetime64(0, 's')"]:
            with self.subTest(text=text):
                self.assertRegex(self.run_one(text)[0].message, "^return type mismatch: ")

    def test_state_of_numpy_is_put_right(self):
        for text in ["np.random.rand()", "np.seterr(all='raise')['over'] == 'raise'",
                     "(np.get_printoptions()['precision'], np.set_printoptions(precision=3))[0]"]:
            with self.subTest(text=text):
                rows = self.run_one("1.0 * (%s)" % text, rows=3)
                self.assertEqual(rows[:1] * 3, rows)
                self.assertIsInstance(rows[0], float)


@unittest.skipUnless(GUEST, "EXTFN_TEST_GUEST is not set")
class Seal(Case):
    def test_a_sealed_worker_says_so(self):
        with start() as worker:
            self.assertEqual(harness.SEALED, worker.setup("result = 1", seal=True).ready)
            self.assertEqual([1.0], worker.call())
        with start() as worker:
            self.assertEqual(0, worker.setup("result = 1").ready)

    def check_fails(self, body="result = 1", message=".", **options):
        with start(**options) as worker, self.assertRaises(Failed) as raised:
            worker.setup(body, seal=True)
        self.assertEqual("seal", raised.exception.reason)
        self.assertRegex(raised.exception.message, message)

    def test_a_seal_that_fails_fails_the_setup(self):
        self.check_fails(environment={"FAKE_SEAL_FAILS": "1"}, message="^Operation not permitted$")

    def test_a_missing_library_fails_the_setup(self):
        self.check_fails(command=COMMAND[:-1] + ["/nothing.so"], message="nothing.so")
        self.check_fails(command=COMMAND[:-1])

    def test_the_seal_comes_before_the_body_is_looked_at(self):
        self.check_fails("x = = 1", environment={"FAKE_SEAL_FAILS": "1"})


BWRAP = ["bwrap", "--unshare-user", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc",
         "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--tmpfs", "/tmp"]


class Files(Case):
    MAKE = ("import os\nresult = len(os.listdir('/tmp'))\nopen('/tmp/file', 'w').close()\n"
            "os.mkdir('/tmp/shut')\nos.mkdir('/tmp/shut/in')\nos.chmod('/tmp/shut', 0)\n"
            "os.symlink('/', '/tmp/link')\nos.mkdir('/tmp/deep')\nos.chdir('/tmp/deep')\n"
            "for _ in range(1500):\n  os.mkdir('deeper')\n  os.chdir('deeper')\n")

    @unittest.skipUnless(GUEST and shutil.which("bwrap") and PYTHON.startswith("/usr/")
                         and succeeds(*BWRAP, "true"), "no bubblewrap here")
    def test_files_of_a_row_are_gone_before_the_next(self):
        command = BWRAP + ["--ro-bind", DRIVER, "/b/driver.py", "--ro-bind", GUEST, "/b/guest.so",
                           "--chdir", "/tmp", "--", PYTHON, *FLAGS, "/b/driver.py", "/b/guest.so"]
        with start(command=command) as worker:
            self.assertEqual([0.0] * 3, worker.setup(self.MAKE, seal=True).call([], 3))
        with start(command=command) as worker:
            worker.setup(self.MAKE + "if args[0]: 1 / 0", ["Number"], seal=True)
            self.assertEqual(0.0, worker.call([[1.0, 0.0]])[1])

    def test_files_of_an_unconfined_host_are_left_alone(self):
        name = "/tmp/extfn-test-%d" % os.getpid()
        with open(name, "w"):
            pass
        try:
            with start(cwd="/tmp") as worker:
                worker.setup("import os\nresult = 1", seal=bool(GUEST)).call([], 3)
            self.assertTrue(os.path.exists(name))
        finally:
            os.unlink(name)


class Start(Case):
    def test_only_cheap_modules_are_loaded(self):
        with start() as worker:
            worker.setup("import sys\nresult = ' '.join(sys.modules)", [], "Text")
            loaded = set(worker.call()[0].split())
        dear = {"json", "ctypes", "ast", "re", "traceback", "inspect", "datetime", "os", "random",
                "enum", "functools", "collections", "typing"}
        self.assertEqual(set(), loaded & dear)

    def test_strings_are_hashed_the_same_in_every_worker(self):
        body = "result = hash('apple') % 1000"
        self.assertEqual(run(body), run(body))


if __name__ == "__main__":
    unittest.main()
