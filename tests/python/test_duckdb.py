"""Functions of a library in DuckDB's SQL. SPDX-License-Identifier: MIT"""
import datetime
import unittest

import duckdb
import extfn
import extfn.duckdb
import page
import sql_library

UTC = datetime.timezone.utc


class InSql(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lib = sql_library.load()

    def setUp(self):
        self.con = duckdb.connect()
        self.addCleanup(self.con.close)
        self.con.execute("SET TimeZone = 'America/New_York'")

    def register(self, *names, **options):
        return extfn.duckdb.register(self.con, self.lib, names=names or None, **options)

    def rows(self, query):
        return self.con.execute(query).fetchall()

    def row(self, query):
        row, = self.rows(query)
        return row

    def check_fails(self, query, kind, text):
        with self.assertRaisesRegex(kind, text):
            self.con.execute(query)


class Values(InSql):
    def test_every_type_goes_in_and_out(self):
        self.register()
        self.assertEqual(
            (0.75, "É\0", False, 4294967295, 3.0),
            self.row("SELECT half(1.5), shout('é' || chr(0)), flipped(true), "
                     "following(4294967294), three()"))

    def test_datetimes_are_instants(self):
        self.register("later")
        days = self.row("SELECT later(TIMESTAMPTZ '2025-01-02 03:04:05.000001+01:00', 1), "
                        "later(TIMESTAMP '2025-01-02 03:04:05', 1)")
        self.assertEqual([datetime.datetime(2025, 1, 3, 2, 4, 5, 1, UTC),
                          datetime.datetime(2025, 1, 3, 8, 4, 5, 0, UTC)],
                         [day.astimezone(UTC) for day in days])

    def test_types_are_those_of_the_page(self):
        self.register()
        self.assertEqual(
            ("DOUBLE", "BOOLEAN", "VARCHAR", "TIMESTAMP WITH TIME ZONE", "UINTEGER"),
            self.row("SELECT typeof(half(1)), typeof(flipped(true)), typeof(shout('')), "
                     "typeof(later(TIMESTAMPTZ '2025-01-01 00:00:00Z', 0)), typeof(following(1))"))

    def test_duckdb_casts_integers_and_decimals_and_nothing_else(self):
        self.register("half", "following")
        self.assertEqual([(0.5, 0.625), (1.0, 0.625)],
                         self.rows("SELECT half(i), half(1.25) FROM range(1, 3) AS r(i)"))
        for wrong in ("half(t)", "half(true)", "following(i)"):
            self.check_fails(f"SELECT {wrong} FROM (SELECT '7' AS t, 7 AS i)",
                             duckdb.BinderException, "No function matches")

    def test_null_in_is_null_out_without_a_call(self):
        self.register("fails", "plus")
        self.register("fails", "plus", prefix="try_", errors="null")
        for prefix in ("", "try_"):
            self.assertEqual([(None, None, 2.0), (None, None, None)], self.rows(
                f"SELECT {prefix}fails(NULL), {prefix}plus(1, NULL), {prefix}plus(x, 1) "
                "FROM (VALUES (1), (NULL)) AS t(x)"))

    def test_many_rows_from_several_threads(self):
        self.register("plus")
        self.con.execute("SET threads = 4")
        self.con.execute("CREATE TABLE t AS SELECT i, 2 * i AS j FROM range(200000) AS r(i)")
        self.assertEqual((3 * 199999 * 100000, 200000),
                         self.row("SELECT sum(p), count(*) FILTER (p = 3 * i) "
                                  "FROM (SELECT i, plus(i, j) AS p FROM t)"))

    def test_an_impure_function_is_called_for_each_row(self):
        self.register("drawn", "thrown")
        self.assertEqual((3000, 5), (
            self.row("SELECT count(DISTINCT drawn(1)) FROM range(3000)")
            + self.row("SELECT count(DISTINCT thrown()) FROM range(5)")))


class Errors(InSql):
    def test_a_failing_row_fails_the_statement(self):
        self.register("half")
        self.check_fails("SELECT half(i) FROM range(20) AS r(i)", duckdb.Error,
                         r"half: .*ValueError: nope \(line 3\)")
        self.assertEqual((6.0,), self.row("SELECT half(12)"))

    def test_or_is_null(self):
        self.register("half", errors="null")
        self.assertEqual([(6.0,), (None,), (7.0,)],
                         self.rows("SELECT half(i) FROM range(12, 15) AS r(i)"))

    def test_what_is_wrong_with_the_function_fails_it_always(self):
        for errors in ("raise", "null"):
            self.register("broken", "three", errors=errors)
            self.check_fails("SELECT broken(1)", duckdb.Error, "broken: .*SyntaxError")
            host = extfn.Host(search_path="/nowhere")
            self.register("half", "three", errors=errors, host=host)
            for call in ("half(1)", "three()"):
                self.check_fails(f"SELECT {call}", duckdb.Error, "sandbox unavailable: .*; .*")

    def test_another_word_for_errors_is_refused(self):
        with self.assertRaisesRegex(ValueError, "errors"):
            self.register(errors="column")


class Names(InSql):
    def test_a_prefix_and_a_choice(self):
        self.assertEqual(["my_half", "my_plus"], self.register("half", "plus", prefix="my_"))
        self.assertEqual((3.0,), self.row("SELECT my_plus(my_half(2), 2)"))
        self.check_fails("SELECT half(2)", duckdb.CatalogException, "half")

    def test_again_replaces(self):
        self.register("half", "plus")
        self.con.remove_function("plus")
        other = sql_library.load({"half": "# extfn: half(t: text) -> text\n"
                                          "result = t[:len(t) // 2]\n"})
        extfn.duckdb.register(self.con, other)
        self.register("plus")
        self.assertEqual(("ab", 3.0), self.row("SELECT half('abcd'), plus(1, 2)"))

    def test_what_is_taken_is_refused_and_nothing_registered(self):
        self.con.create_function("mine", lambda x: x, ["DOUBLE"], "DOUBLE")
        self.con.execute("CREATE MACRO doubled(x) AS 2 * x")
        body = "(n: number) -> number\nresult = n\n"
        for name in ("abs", "TypeOf", "mine", "doubled", "sum", "range", "order", "coalesce"):
            lib = sql_library.load({each: f"# extfn: {each}{body}" for each in ("a1", name)})
            with self.assertRaisesRegex(ValueError, f"'{name}' "):
                extfn.duckdb.register(self.con, lib)
            self.check_fails("SELECT a1(1)", duckdb.CatalogException, "a1")

    def test_names_differ_by_more_than_case(self):
        body = "(n: number) -> number\nresult = n\n"
        lib = sql_library.load({each: f"# extfn: {each}{body}" for each in ("a1", "A1")})
        with self.assertRaisesRegex(ValueError, "'A1'.*'a1'|'a1'.*'A1'"):
            extfn.duckdb.register(self.con, lib)

    def test_an_unknown_name_is_not_found(self):
        with self.assertRaises(extfn.NotFound):
            self.register("nothing")

    def test_cursors_see_it(self):
        self.register("half")
        self.assertEqual([(1.0,)], self.con.cursor().execute("SELECT half(2)").fetchall())


class Page(unittest.TestCase):
    maxDiff = None

    def test_its_program_prints_what_is_shown(self):
        printed, shown = page.follow("duckdb.md")
        self.assertEqual(printed, shown)
