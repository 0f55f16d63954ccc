# The Python driver against the wire protocol: vectorized bodies.
# SPDX-License-Identifier: MIT
import math
import unittest

from harness import MEMORY, RowError
from python_case import IS_310, Case, NAN, NUMPY, PYTHON, moment, run


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

    def test_random_numbers_that_no_word_names_are_refused(self):
        for body in ["result = x + getattr(np, 'ran' + 'dom').rand(len(x))",
                     "match np:\n  case object(random=r): result = x + r.rand(len(x))",
                     "from string import Formatter\n"
                     "result = x + Formatter().get_field('0.random', (np,), {})[0].rand(len(x))"]:
            if IS_310 or "match" not in body:
                self.check_all("vectorized body draws random numbers",
                               "import numpy as np\n" + body, [1.0, 2.0], names=["x"])

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


if __name__ == "__main__":
    unittest.main()
