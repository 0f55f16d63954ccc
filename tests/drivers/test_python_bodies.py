# The Python driver against the wire protocol: every form of a body, and its syntax errors.
# SPDX-License-Identifier: MIT
import unittest

from harness import Failed, Lost
from python_case import Case, NOT_SET, start


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
        columns = [[float(i)] for i in range(64)]
        self.check_rows([sum(range(64))], "result = sum(args)", *columns)
        self.check_rows([63.0], "result = x63", *columns,
                        names=["x%d" % i for i in range(64)])

    def test_a_name_and_its_place_in_args_are_one_value(self):
        self.check_rows([True], "result = args[0] is x and args[1] is y", ["a"], ["b"],
                        names=["x", "y"], returns="Boolean")

    def test_rows_leave_no_memory_behind(self):
        def read_size(worker):  # of what is not shared with the host
            with open("/proc/%d/statm" % worker.process.pid) as file:
                _, resident, shared, *_ = map(int, file.read().split())
            return (resident - shared) * 4096

        size = 1 << 18
        for body in ["result = x + '!'", "result = args[0] + '!'", "return x * 2",
                     "raise ValueError(x)", "result = x + '\\ud800'"]:
            with self.subTest(body=body), start() as worker:
                worker.setup(body, ["Text"], "Text", names=["x"])
                worker.call([["a" * size] * 40])
                before = read_size(worker)
                worker.call([["a" * size] * 120])  # 30 MiB of arguments alone
                self.assertLess(read_size(worker) - before, 20 << 20)

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
        self.check_refused(r"^SyntaxError: body is not valid UTF-8 \(line 1\)$", b"result = '\xff'")

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


if __name__ == "__main__":
    unittest.main()
