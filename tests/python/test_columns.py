"""Columns from and to Python, NumPy and pandas; errors of rows. SPDX-License-Identifier: MIT"""
import array
import datetime
import gc
import resource
import unittest

import bodies
import extfn
import numpy
import pandas

ADD = bodies.make("result = x + y")
PICKY = bodies.make("if x < 0: raise ValueError('negative')\nresult = x", ["Number"])
WHEN = datetime.datetime(2025, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as numbers:
        return int(numbers.read().split()[1]) * resource.getpagesize()


def same(word, values):
    return bodies.identity("Python", word).apply(values)


class FromNumPy(unittest.TestCase):
    def test_numbers_of_every_size(self):
        for kind in ("f8", "f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
            with self.subTest(kind):
                given = numpy.array([1, 2, 100], kind)
                self.assertEqual(same("Number", given).to_list(), [1.0, 2.0, 100.0])
        self.assertEqual(same("Number", array.array("d", [1, 2])).to_list(), [1.0, 2.0])

    def test_bytes_in_the_order_of_another_machine(self):
        self.assertEqual(same("Number", numpy.array([1, 2], ">i4")).to_list(), [1.0, 2.0])
        times = numpy.array(["2025-01-02T03:04:05"], ">M8[s]")
        self.assertEqual(same("DateTime", times).to_list(), [WHEN])

    def test_an_integer_is_exact_or_an_error(self):
        exact = numpy.array([2 ** 53, -2 ** 63, 2 ** 62])
        self.assertEqual(same("Number", exact).to_list(), exact.tolist())
        top = numpy.array([2 ** 64 - 2048], "u8")
        self.assertEqual(same("Number", top).to_list(), [2.0 ** 64 - 2048])
        for bad in (2 ** 53 + 1, 2 ** 63 - 1, -2 ** 53 - 1):
            with self.subTest(bad), self.assertRaisesRegex(
                    extfn.InvalidArgument, "argument 0: row 1: no Number is exactly this integer"):
                same("Number", numpy.array([0, bad]))
        with self.assertRaises(extfn.InvalidArgument):
            same("Number", numpy.array([2 ** 64 - 1], "u8"))

    def test_steps_and_views(self):
        whole = numpy.arange(10.0)
        self.assertEqual(same("Number", whole[8:2:-3]).to_list(), [8.0, 5.0])
        table = numpy.arange(6).reshape(2, 3)
        self.assertEqual(same("Number", table[:, 1]).to_list(), [1.0, 4.0])
        with self.assertRaisesRegex(extfn.InvalidArgument, "one dimension, not 2"):
            same("Number", table)

    def test_other_types(self):
        self.assertEqual(same("Boolean", numpy.array([True, False])).to_list(), [True, False])
        self.assertEqual(same("Enum", numpy.array([0, 2 ** 32 - 1])).to_list(), [0, 2 ** 32 - 1])
        for text in (["a", "ö"], numpy.array(["a", "ö"]), numpy.array(["a", "ö"], object),
                     numpy.array(["a", "ö"], numpy.dtypes.StringDType())):
            self.assertEqual(same("Text", text).to_list(), ["a", "ö"])
        for bad in (-1, 2 ** 32):
            with self.assertRaisesRegex(extfn.InvalidArgument, "row 0: an Enum is 0 to 4294967295"):
                same("Enum", numpy.array([bad]))

    def test_times_of_every_unit(self):
        for unit in ("s", "ms", "us", "ns"):
            with self.subTest(unit):
                given = numpy.array(["2025-01-02T03:04:05", "NaT"], f"M8[{unit}]")
                column = bodies.identity("Python", "DateTime").apply(given, errors="null")
                self.assertEqual(column.to_list(), [WHEN, None])
        with self.assertRaisesRegex(extfn.InvalidArgument, "row 0: no whole number of microsec"):
            same("DateTime", numpy.array([1], "M8[ns]"))
        with self.assertRaisesRegex(extfn.InvalidArgument, "row 0: .*0001 to 9999|out of range"):
            same("DateTime", numpy.array([2 ** 62], "M8[s]"))
        with self.assertRaisesRegex(extfn.TypeMismatch, "another unit"):
            same("DateTime", numpy.array(["2025-01-02"], "M8[D]"))

    def test_what_does_not_fit(self):
        for word, given in [("Number", numpy.array([True])), ("Boolean", numpy.array([1])),
                            ("Enum", numpy.array([1.0])), ("DateTime", numpy.array([1])),
                            ("Text", numpy.array([1.0])),
                            ("Number", numpy.array([1j])), ("Number", "12"), ("Number", b"12")]:
            with self.subTest(type=word, given=given), self.assertRaises(TypeError):
                same(word, given) if not isinstance(given, str) else extfn.column(given, "number")


class FromPython(unittest.TestCase):
    def test_lists_and_generators(self):
        self.assertEqual(ADD.apply([1, 2.5], range(2)).to_list(), [1.0, 3.5])
        self.assertEqual(ADD.apply((i for i in (1, 2)), (3, 4)).to_list(), [4.0, 6.0])
        self.assertEqual(same("DateTime", [WHEN]).to_list(), [WHEN])
        self.assertEqual(len(ADD.apply([], [])), 0)

    def test_a_value_stands_for_a_column(self):
        self.assertEqual(ADD.apply([1, 2, 3], 10).to_list(), [11.0, 12.0, 13.0])
        self.assertEqual(ADD.apply(1, 2, rows=2).to_list(), [3.0, 3.0])
        with self.assertRaisesRegex(TypeError, "`rows` has to tell how many"):
            ADD.apply(1, 2)
        seven = bodies.make("result = 7", [])
        self.assertEqual(seven.apply(rows=3).to_list(), [7.0] * 3)

    def test_unequal_and_too_few(self):
        with self.assertRaises(extfn.InvalidArgument):
            ADD.apply([1, 2], [1])
        with self.assertRaises(extfn.ArityMismatch):
            ADD.apply([1, 2])

    def test_a_wrong_value_names_its_row(self):
        with self.assertRaisesRegex(extfn.TypeMismatch,
                                    "function f: argument 1: row 1 type mismatch, .* got str"):
            ADD.apply([1, 2], [1, "2"])

    def test_pandas(self):
        self.assertEqual(same("Number", pandas.Series([1.5, 2])).to_list(), [1.5, 2.0])
        for word, given, wanted in [
                ("Text", pandas.Series(["a", None, float("nan")]), ["a", None, None]),
                ("Number", pandas.Series([1, None], dtype="Int64"), [1.0, None]),
                ("Boolean", pandas.Series([True, None], dtype="boolean"), [True, None]),
                ("DateTime", pandas.Series([pandas.Timestamp(WHEN), None]), [WHEN, None]),
                ("DateTime", pandas.Series([WHEN.replace(tzinfo=None)]), [WHEN]),
                ("Text", pandas.Series(["a", "b"], dtype="category"), ["a", "b"])]:
            with self.subTest(given):
                column = bodies.identity("Python", word).apply(given, errors="null")
                self.assertEqual(column.to_list(), wanted)


class Results(unittest.TestCase):
    def test_a_sequence(self):
        column = ADD.apply([1, 2, 3], 1)
        self.assertEqual((len(column), column[0], column[-1], list(column)),
                         (3, 2.0, 4.0, [2.0, 3.0, 4.0]))
        self.assertEqual((column.type, column.null_count), ("number", 0))
        with self.assertRaises(IndexError):
            _ = column[3]

    def test_numpy_reads_them_in_place(self):
        column = ADD.apply(numpy.arange(4.0), 1)
        first, second = numpy.asarray(column), numpy.asarray(column)
        self.assertTrue(numpy.shares_memory(first, second))
        self.assertFalse(first.flags.writeable)
        del column
        gc.collect()
        self.assertEqual(first.tolist(), [1.0, 2.0, 3.0, 4.0])
        self.assertEqual(numpy.asarray(same("Boolean", [True])).dtype, bool)
        self.assertEqual(numpy.asarray(same("Enum", [7])).dtype, numpy.uint32)
        times = numpy.asarray(same("DateTime", [WHEN])).view("M8[us]")
        self.assertEqual(times[0], numpy.datetime64("2025-01-02T03:04:05"))

    def test_what_is_no_buffer(self):
        for column in (same("Text", ["a"]), PICKY.apply([-1], errors="null")):
            with self.assertRaises(BufferError):
                memoryview(column)

    def test_one_goes_in_again(self):
        column = ADD.apply([1, 2], 1)
        self.assertEqual(ADD.apply(column, column).to_list(), [4.0, 6.0])
        with self.assertRaises(extfn.TypeMismatch):
            same("Text", column)

    def test_memory_comes_back(self):
        def use():
            values, errors = ADD.apply([1, None], [2, 3], errors="column")
            values.to_list(), errors.to_list(), values.errors
            with self.assertRaises(extfn.MissingInput):
                ADD.apply([1, None], [2, 3])
        for _ in range(500):
            use()
        before = resident_bytes()
        for _ in range(4000):
            use()
        self.assertLess(resident_bytes() - before, 4000 * 100)


class RowsThatFail(unittest.TestCase):
    def test_raise(self):
        with self.assertRaises(extfn.FunctionError) as caught:
            PICKY.apply([1, -1, -2])
        self.assertEqual((1, "row 1: ValueError: negative (line 1)"),
                         (caught.exception.row, str(caught.exception)))

    def test_the_kind_of_what_is_raised(self):
        slow = bodies.make("while x > 0: pass\nresult = x", ["Number"])
        with self.assertRaises(extfn.Timeout) as caught:
            slow.apply([0, 1, 0], timeout=0.2)
        self.assertEqual(caught.exception.row, 1)

    def test_null(self):
        column = PICKY.apply([1, -1], errors="null")
        self.assertEqual(column.to_list(), [1.0, None])
        self.assertEqual(column.errors, [None, "ValueError: negative (line 1)"])
        self.assertEqual(column.null_count, 1)

    def test_column(self):
        values, errors = PICKY.apply([1, -1, None], errors="column")
        self.assertEqual(values.to_list(), [1.0, None, None])
        self.assertEqual(errors.to_list(), [None, "ValueError: negative (line 1)",
                                            "missing input: x"])

    def test_nulls_that_are_no_errors(self):
        self.assertEqual(PICKY.apply([1, None], nulls="null").to_list(), [1.0, None])
        values, errors = PICKY.apply([-1, None], nulls="null", errors="column")
        self.assertEqual(errors.to_list(), ["ValueError: negative (line 1)", None])
        self.assertEqual(values.to_list(), [None, None])
        with self.assertRaises(extfn.MissingInput) as caught:
            PICKY.apply([1, None])
        self.assertEqual(caught.exception.row, 1)
        with self.assertRaises(extfn.FunctionError):
            PICKY.apply([None, -1], nulls="null")

    def test_a_function_that_cannot_run_at_all(self):
        with self.assertRaisesRegex(extfn.FunctionError, "SyntaxError"):
            bodies.make("result = (").apply([1], [2], errors="null")
        with self.assertRaises(extfn.Timeout):
            bodies.make("while True: pass").apply([1] * 3, 2, deadline=0.2)
        with self.assertRaises(ValueError):
            ADD.apply([1], [2], errors="ignore")


class Progress(unittest.TestCase):
    def test_it_is_told_up_to_the_end(self):
        seen = []
        ADD.apply(numpy.arange(1000.0), 1, on_progress=lambda *told: seen.append(told))
        self.assertEqual(seen[-1], (1000, 1000))

    def test_what_it_raises_ends_the_call(self):
        def fail(done, total):
            raise LookupError("enough")
        for language in filter(bodies.is_there, ("Python", "Wasm")):
            with self.subTest(language), self.assertRaisesRegex(LookupError, "enough"):
                bodies.identity(language, "Number").apply(numpy.arange(100000.0), on_progress=fail)
