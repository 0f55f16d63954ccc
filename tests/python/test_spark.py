"""Functions of a library over Spark's tables, on executors that are processes of their own.

SPDX-License-Identifier: MIT
"""
import datetime
import os
import pathlib
import signal
import sys
import tempfile
import unittest

import bodies
import extfn
import extfn.spark
import page
import pyarrow
import spark_session
import sql_library
from extfn import _spark_task
from pyspark import TaskContext, cloudpickle
from pyspark.errors import PythonException
from pyspark.sql import functions

UTC = datetime.timezone.utc
# (module (func (export "improv_call") (param f64) (result f64) local.get 0 local.get 0 f64.add))
DOUBLED = (b"\0asm\1\0\0\0\1\6\1\x60\1\x7c\1\x7c\3\2\1\0\7\x0f\1\x0bimprov_call\0\0"
           b"\x0a\x09\1\7\0\x20\0\x20\0\xa0\x0b")


def setUpModule():
    global spark, lib
    # So that executors need nothing but the package.
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    spark = unittest.enterModuleContext(spark_session.started())
    lib = sql_library.load()


def apply(df, name, *args, **options):
    return extfn.spark.apply(df, lib, name, args=list(args) or None, **options)


def rows(query):
    return [tuple(row) for row in spark.sql(query).collect()]


def results(df, count=2):
    """The last columns."""
    return [tuple(row)[-count:] for row in df.collect()]


class Apply(unittest.TestCase):
    def test_every_type_goes_in_and_out(self):
        table = spark.sql("SELECT 1.5D AS n, 'é' AS t, true AS b, 4294967294 AS kind")
        for name, column, value in (("half", "n", 0.75), ("shout", "t", "É"),
                                    ("flipped", "b", False), ("following", "kind", 4294967295)):
            self.assertEqual([(value, None)], results(apply(table, name, column)), name)
        self.assertEqual([(3.0, None)] * 2, results(apply(spark.range(2), "three")))

    def test_datetimes_are_instants(self):
        table = spark.sql("SELECT timestamp'2025-01-02 03:04:05.000001' AS at, "
                          "timestamp_ntz'2025-01-02 03:04:05' AS clock, 1 AS days")
        for column, hour, micros in (("at", 8, 1), ("clock", 3, 0)):
            table = apply(table, "later", column, "days", column=f"after_{column}", errors="null")
            seconds, = table.select(functions.unix_micros(f"after_{column}")).first()
            expected = datetime.datetime(2025, 1, 3, hour, 4, 5, micros, UTC)
            self.assertEqual(expected.timestamp() * 1e6, seconds)

    def test_integers_and_decimals_are_numbers(self):
        table = spark.sql("SELECT tinyint(3) AS a, 3L AS b, float(3) AS c, 3BD AS d, "
                          "0.1BD + 0.20000000000000000000000BD AS e, 12345678901234567.8BD AS f")
        for column in "abcd":
            self.assertEqual([(1.5, None)], results(apply(table, "half", column)))
        # To the nearest double, which Arrow's own cast of decimals can miss.
        self.assertEqual([(0.15, None)], results(apply(table, "half", "e")))
        self.assertEqual([(12345678901234567.8 / 2, None)], results(apply(table, "half", "f")))

    def test_other_columns_stay_as_they_are(self):
        table = spark.sql("SELECT 2 AS n, 1.50BD AS d, date'2025-01-02' AS day, X'00FF' AS bytes, "
                          "array(1, null) AS a, map('k', 1) AS m, named_struct('s', 1) AS s, "
                          "timestamp'2025-01-02 03:04:05' AS at, 1 AS `a.b`, 2 AS c, 3 AS c")
        done = apply(table, "half")
        self.assertEqual([*table.columns, "half", "half_error"], done.columns)
        self.assertEqual(table.schema.fields, done.schema.fields[:-2])
        self.assertEqual(tuple(table.first()), tuple(done.first())[:-2])

    def test_arguments_are_the_columns_of_their_names(self):
        table = spark.sql("SELECT 1 AS x, 2 AS y, 30 AS z")
        done = extfn.spark.apply(table, lib, "plus", args={"y": "z"}, column="sum", errors="null")
        self.assertEqual(["x", "y", "z", "sum"], done.columns)
        self.assertEqual([(31.0,)], results(done, 1))

    def test_null_in_is_null_out_without_a_call(self):
        table = spark.sql("SELECT * FROM VALUES (1, 2), (null, 2), (1, null) AS t(x, y)")
        nulls = spark.sql("SELECT null AS n FROM range(3)")
        for errors in ("column", "null", "raise"):
            count = 2 if errors == "column" else 1
            done = apply(table.coalesce(1), "plus", "x", "y", errors=errors)
            self.assertEqual([3.0, None, None], [row[2] for row in done.collect()])
            self.assertEqual([(None,) * count] * 3,
                             results(apply(nulls, "fails", "n", errors=errors), count))

    def test_long_texts_come_in_portions(self):
        long = sql_library.load({"long": "# extfn: long(n: number) -> text\n"
                                         "result = 'x' * 300000\n"})["long"]
        batch = pyarrow.RecordBatch.from_pydict({"n": list(range(200))})
        done = list(_spark_task.Table(long, "null", None, [0])([batch]))
        self.assertEqual([55, 55, 55, 35], [each.num_rows for each in done])
        self.assertEqual(batch["n"], pyarrow.Table.from_batches(done)["n"].combine_chunks())


class Errors(unittest.TestCase):
    def test_a_row_that_fails_has_its_error_beside_it(self):
        (before, _), (value, error), (after, _) = results(apply(spark.range(12, 15), "half", "id"))
        self.assertEqual((6.0, None, 7.0), (before, value, after))
        self.assertRegex(error, r"ValueError: nope \(line 3\)$")

    def test_or_is_null(self):
        self.assertEqual([(6.0,), (None,), (7.0,)],
                         results(apply(spark.range(12, 15), "half", "id", errors="null"), 1))

    def test_or_fails_the_job(self):
        with self.assertRaisesRegex(PythonException, r"half: .*ValueError: nope \(line 3\)"):
            apply(spark.range(20), "half", "id", errors="raise").collect()

    def test_what_is_wrong_with_the_function_fails_the_job(self):
        for options, name, text in (
                ({}, "broken", "SyntaxError"),
                ({"search_path": "/nowhere"}, "half", "sandbox unavailable: .*; .*"),
                ({"interpreters": {"python": "/nowhere/python3"}}, "half",
                 "language runtime unavailable: Python")):
            with self.assertRaisesRegex(PythonException, text):
                apply(spark.range(5), name, "id", host=options).collect()

    def test_what_does_not_fit_is_told_before_anything_runs(self):
        table = spark.sql("SELECT 1 AS n, 'a' AS t, 1 AS half, 1 AS plus_error")
        for kind, text, name, options in (
                (ValueError, "no column 'x'", "plus", {}),
                (ValueError, "more than one .* 'n'", "half", {"df": table.select("n", "n")}),
                (extfn.TypeMismatch, "0 .* 't' of type string", "following", {"args": ["t"]}),
                (ValueError, "'half' already", "half", {}),
                (ValueError, "'plus_error' already", "plus", {"args": ["n", "n"]}),
                (ValueError, "list 2 columns", "plus", {"args": ["n"]}),
                (ValueError, "no argument q", "plus", {"args": {"q": "n"}}),
                (ValueError, "errors", "half", {"errors": "hide"}),
                (TypeError, "timeuot", "following", {"args": ["n"], "host": {"timeuot": 1}}),
                (extfn.NotFound, "nothing", "nothing", {})):
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                extfn.spark.apply(options.pop("df", table), lib, name, **options)


class Sql(unittest.TestCase):
    def test_every_type_goes_in_and_out(self):
        extfn.spark.register(spark, lib)
        (*values, seconds), = rows(
            "SELECT half(1.5), shout('é'), flipped(true), following(7), three(), "
            "unix_seconds(later(timestamp'2025-01-02 03:04:05', 1))")
        self.assertEqual([0.75, "É", False, 8, 3.0], values)
        self.assertEqual(datetime.datetime(2025, 1, 3, 8, 4, 5, 0, UTC).timestamp(), seconds)

    def test_arguments_by_their_names(self):
        extfn.spark.register(spark, lib, names=["plus"])
        self.assertEqual([(3.5,)], rows("SELECT plus(y => 1, x => 2.5)"))
        for call, text in (("plus(1)", r"expected 2 argument\(s\), got 1"),
                           ("plus(1, z => 2)", "no argument z"), ("plus('a', 1)", "argument 0")):
            with self.assertRaisesRegex(PythonException, text):
                rows(f"SELECT {call}")

    def test_it_is_an_expression_over_columns_too(self):
        registered = extfn.spark.register(spark, lib, names=["half"], prefix="my_")
        self.assertEqual(["my_half"], list(registered))
        self.assertEqual([(0.0,), (0.5,)],
                         results(spark.range(2).select(registered["my_half"]("id")), 1))

    def test_null_in_is_null_out_without_a_call(self):
        extfn.spark.register(spark, lib)
        self.assertEqual({(None, None, 2.0), (None, None, None)}, set(rows(
            "SELECT fails(null), plus(1, null), plus(x, 1) FROM VALUES (1), (null) AS t(x)")))

    def test_a_failing_row_fails_the_job_or_is_null(self):
        extfn.spark.register(spark, lib, names=["half"])
        with self.assertRaisesRegex(PythonException, r"half: .*ValueError: nope \(line 3\)"):
            rows("SELECT half(id) FROM range(20)")
        extfn.spark.register(spark, lib, names=["half"], prefix="try_", errors="null")
        self.assertEqual({(6.0,), (None,), (7.0,)},
                         set(rows("SELECT try_half(id) FROM range(12, 15)")))

    def test_impure_functions_are_called_for_each_row(self):
        extfn.spark.register(spark, lib, names=["drawn", "thrown"])
        for call, count in (("drawn(id)", 1000), ("thrown()", 4)):
            self.assertEqual([(count,)], rows(
                f"SELECT count(DISTINCT n) FROM (SELECT {call} AS n FROM range({count}))"))

    def test_names_of_spark_are_refused(self):
        body = "(n: number) -> number\nresult = n\n"
        for names, text in ((("a1", "abs"), "'abs' is a function of Spark"),
                            (("a1", "A1"), "one name")):
            taken = sql_library.load({name: f"# extfn: {name}{body}" for name in names})
            with self.assertRaisesRegex(ValueError, text):
                extfn.spark.register(spark, taken)
        self.assertFalse(spark.catalog.functionExists("a1"))


def parent_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        return int(stat.read().rpartition(")")[2].split()[1])


def through_executors(folder, part):
    """Tells who handled a row; the first to handle that partition dies in the middle of it."""
    def pass_on(batches):
        executor = parent_of(os.getppid())  # of the daemon that made this process
        task = TaskContext.get()
        for place, batch in enumerate(batches):
            if place == 1 and task.partitionId() == part and task.attemptNumber() == 0:
                pathlib.Path(folder, str(executor)).touch()
                os.kill(executor, signal.SIGKILL)
            yield pyarrow.RecordBatch.from_arrays(
                [batch.column(0), pyarrow.array([executor] * batch.num_rows)], ["id", "executor"])
    return pass_on


def counting_hosts(task):
    """The task, and which process it ran in and how many host objects that made for it."""
    def count(batches):
        before = _spark_task.host_of.cache_info().misses
        for _ in task(batches):
            pass
        made = _spark_task.host_of.cache_info().misses - before
        yield pyarrow.RecordBatch.from_pydict({"process": [os.getpid()], "made": [made]})
    return count


class Executors(unittest.TestCase):
    def test_a_killed_executor_costs_no_row(self):
        with tempfile.TemporaryDirectory(prefix="extfn-test-spark-") as folder:
            table = spark.range(0, 12000, 1, 6).mapInArrow(through_executors(folder, 3),
                                                           "id long, executor long")
            done = extfn.spark.apply(table, lib, "plus", args=["id", "id"]).collect()
            killed, = map(int, os.listdir(folder))
        self.assertEqual([(id, 2.0 * id, None) for id in range(12000)],
                         sorted((row.id, row.plus, row.plus_error) for row in done))
        self.assertNotIn(killed, {row.executor for row in done if row.id // 2000 == 3})

    def test_a_module_of_webassembly_travels(self):
        with tempfile.TemporaryDirectory(prefix="extfn-test-spark-") as folder:
            pathlib.Path(folder, "doubled.wasm").write_bytes(DOUBLED)
            doubled = extfn.spark.apply(spark.range(3), extfn.load(folder), "doubled", args=["id"])
        try:
            self.assertEqual([(0.0, None), (2.0, None), (4.0, None)], results(doubled))
        except PythonException as error:
            if "language runtime unavailable" not in str(error):
                raise
            bodies.skip_without("Wasm", error)

    def test_a_process_has_one_host_object_for_all_tasks(self):
        task = _spark_task.Table(lib["half"], "null", {"timeout": 4.5}, [0])
        table = spark.range(0, 4, 1, 4).mapInArrow(counting_hosts(task), "process long, made long")
        told = [row for _ in range(3) for row in table.collect()]
        self.assertEqual(12, len(told))
        self.assertEqual(len({row.process for row in told}), sum(row.made for row in told))


class Page(unittest.TestCase):
    maxDiff = None

    def test_its_program_prints_what_is_shown(self):
        printed, shown = page.follow("spark.md")
        self.assertEqual(printed, shown)
