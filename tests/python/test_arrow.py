"""Arrow's arrays in and out: pyarrow, polars. SPDX-License-Identifier: MIT"""
import datetime
import gc
import unittest

import bodies
import extfn
import polars
import pyarrow

UTC = datetime.UTC
WHEN = datetime.datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)
VALUES = {"Number": [1.5, None, -0.0], "Boolean": [True, None, False], "Text": ["a", None, "ö🌍"],
          "DateTime": [WHEN, None, WHEN], "Enum": [0, None, 2 ** 32 - 1]}
INTO = {
    "Number": [pyarrow.float64()],
    "Boolean": [pyarrow.bool_()],
    "Text": [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(),
             pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
             pyarrow.dictionary(pyarrow.int64(), pyarrow.large_string())],
    "DateTime": [pyarrow.timestamp(unit, zone) for unit in ("s", "ms", "us", "ns")
                 for zone in (None, "UTC", "Europe/Berlin")],
    "Enum": [pyarrow.uint32(), pyarrow.int64(), pyarrow.uint64()],
}
OUT = {"Number": pyarrow.float64(), "Boolean": pyarrow.bool_(), "Text": pyarrow.large_string(),
       "DateTime": pyarrow.timestamp("us", "UTC"), "Enum": pyarrow.uint32()}


def same(word, values):
    return bodies.identity("Python", word).apply(values, errors="null")


def array_of(values, arrow_type):
    if pyarrow.types.is_timestamp(arrow_type) and arrow_type.tz is None:
        values = [value and value.replace(tzinfo=None) for value in values]
    return pyarrow.array(values, arrow_type)


class RoundTrips(unittest.TestCase):
    def test_every_type_with_nulls(self):
        for word, values in VALUES.items():
            for arrow_type in INTO[word]:
                with self.subTest(str(arrow_type)):
                    given = array_of(values, arrow_type)
                    result = pyarrow.array(same(word, given))
                    result.validate(full=True)
                    self.assertEqual(result, pyarrow.array(values, OUT[word]))

    def test_slices_and_chunks(self):
        for word, values in VALUES.items():
            for arrow_type in INTO[word]:
                with self.subTest(str(arrow_type)):
                    many = values * 7
                    given = array_of(many, arrow_type)
                    self.assertEqual(same(word, given[4:17]).to_list(), many[4:17])
                    chunks = pyarrow.chunked_array([given[1:9], given[9:9], given[11:]])
                    self.assertEqual(same(word, chunks).to_list(), many[1:9] + many[11:])
                    self.assertEqual(same(word, given[:0]).to_list(), [])

    def test_long_texts_that_are_views(self):
        texts = ["short", "longer than twelve bytes " * 3, None, ""] * 5
        given = pyarrow.array(texts, pyarrow.string_view())
        self.assertEqual(same("Text", given[3:]).to_list(), texts[3:])

    def test_only_nulls(self):
        self.assertEqual(same("Text", pyarrow.nulls(3)).to_list(), [None] * 3)

    def test_integers_of_every_size(self):
        for size in (8, 16, 32, 64):
            for sign in ("", "u"):
                given = pyarrow.array([1, None, 100], f"{sign}int{size}")
                self.assertEqual(same("Number", given).to_list(), [1.0, None, 100.0])
                self.assertEqual(same("Enum", given).to_list(), [1, None, 100])
        self.assertEqual(same("Number", pyarrow.array([0.5], "float")).to_list(), [0.5])

    def test_polars(self):
        for word, values in VALUES.items():
            with self.subTest(word):
                result = polars.Series("r", same(word, polars.Series(values)))
                self.assertEqual(result.to_list(), values)
        category = polars.Series(["a", "b", "a"], dtype=polars.Categorical)
        self.assertEqual(same("Text", category).to_list(), ["a", "b", "a"])


class WhatDoesNotFit(unittest.TestCase):
    def test_types(self):
        for word, given, message in [
                ("Number", pyarrow.array([True]), "expected Number, got bool"),
                ("Number", pyarrow.array([1]).cast(pyarrow.decimal128(22, 2)), "format 'd:22,2'"),
                ("Number", pyarrow.array(["1"]), "expected Number, got string"),
                ("Number", pyarrow.array(["1"]).dictionary_encode(), "got dictionary"),
                ("Text", pyarrow.array([1, 2]).dictionary_encode(), "got dictionary"),
                ("DateTime", pyarrow.array([WHEN.date()]), "date .cast it to timestamp"),
                ("DateTime", pyarrow.array([1]), "expected DateTime, got int64"),
                ("Number", pyarrow.array([WHEN]), "expected Number, got timestamp"),
                ("Boolean", pyarrow.array([1]), "expected Boolean, got int64"),
                ("Enum", pyarrow.array([1.0]), "expected Enum, got float64"),
                ("Text", pyarrow.array([b"a"]), "Arrow's format 'z'")]:
            with self.subTest(type=word, given=given.type), \
                    self.assertRaisesRegex(extfn.TypeMismatch, message):
                same(word, given)

    def test_values(self):
        for word, given, message in [
                ("Number", pyarrow.array([0, 2 ** 53 + 1]), "row 1: no Number is exactly"),
                ("Enum", pyarrow.array([-1]), "row 0: an Enum is 0"),
                ("DateTime", pyarrow.array([0, 1], pyarrow.timestamp("ns")), "row 1: no whole"),
                ("DateTime", pyarrow.array([2 ** 62], pyarrow.timestamp("s")), "row 0: "),
                ("DateTime", pyarrow.array([2 ** 62], pyarrow.timestamp("us")), "0001 to 9999"),
                ("Text", pyarrow.array([b"a\xff"]).view("string"), "row 0: text is not UTF-8"),
                ("Text", pyarrow.array([b"\xff"]).view("string").cast("string_view"),
                 "row 0: text is not UTF-8")]:
            with self.subTest(type=word, given=given.type), \
                    self.assertRaisesRegex(extfn.InvalidArgument, message):
                same(word, given)

    def test_what_a_null_covers_is_not_looked_at(self):
        bad = pyarrow.array([2 ** 53 + 1, 5])
        valid = pyarrow.py_buffer(b"\x02")
        given = pyarrow.Array.from_buffers(pyarrow.int64(), 2, [valid, bad.buffers()[1]])
        self.assertEqual(same("Number", given).to_list(), [None, 5.0])
        self.assertEqual(same("Enum", pyarrow.Array.from_buffers(
            pyarrow.int64(), 2, [valid, pyarrow.array([-1, 5]).buffers()[1]])).to_list(), [None, 5])

    def test_a_stream_that_fails(self):
        def chunks():
            yield pyarrow.record_batch({"x": [1]})
            raise OSError("torn")
        reader = pyarrow.RecordBatchReader.from_batches(
            pyarrow.schema({"x": pyarrow.int64()}), chunks())
        with self.assertRaises(extfn.TypeMismatch):
            same("Number", reader)


class Memory(unittest.TestCase):
    def test_what_was_handed_over_is_given_back(self):
        given = pyarrow.array(["a", None] * 1000, pyarrow.string_view())
        same("Text", given)
        gc.collect()
        before = pyarrow.total_allocated_bytes()
        for _ in range(20):
            same("Text", pyarrow.chunked_array([given, given]))
            with self.assertRaises(extfn.TypeMismatch):
                same("Number", pyarrow.chunked_array([given, given]))
        gc.collect()
        self.assertEqual(pyarrow.total_allocated_bytes(), before)

    def test_an_array_outlives_its_column(self):
        column = same("Text", ["a", None, "b"])
        array = pyarrow.array(column)
        schema, unused = column.__arrow_c_schema__(), column.__arrow_c_array__()
        del column, schema, unused
        gc.collect()
        self.assertEqual(array.to_pylist(), ["a", None, "b"])

    def test_numbers_are_not_copied(self):
        column = same("Number", [1.5, 2])
        self.assertEqual(pyarrow.array(column).buffers()[1].address,
                         pyarrow.array(column).buffers()[1].address)
