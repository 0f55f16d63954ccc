"""The extension as a file that is loaded: by Python's sqlite3 module and by the shell of SQLite.

SPDX-License-Identifier: MIT
"""
import os
import sqlite3
import subprocess
import tempfile
import threading
import time
import unittest

import loading

FUNCTIONS = {
    "plus.py": "# extfn: plus(x: number, y: number) -> number\nresult = x + y\n",
    "weekday.py": "# extfn: weekday(day: datetime) -> text\nresult = day.strftime('%A')\n",
    "inverse.py": "# extfn: inverse(x: number) -> number\nresult = 1 / x\n",
    "is_odd.py": "# extfn: is_odd(x: number) -> boolean\nresult = x % 2 == 1\n",
    "forever.py": "# extfn: forever(x: number) -> number\nwhile True: pass\n",
    "once.py": "# extfn: once() -> text\nimport os\nresult = os.urandom(8).hex()\n",
    "draw.py": "# extfn: draw() -> text impure\nimport os\nresult = os.urandom(8).hex()\n",
}


class LibraryTest(unittest.TestCase):
    """`self.lib` is a library of the functions above."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="extfn-test-sqlite-")
        self.addCleanup(scratch.cleanup)
        self.lib = scratch.name
        for name, text in FUNCTIONS.items():
            self.write(name, text)

    def write(self, name, text):
        with open(os.path.join(self.lib, name), "w", encoding="utf-8") as out:
            out.write(text)


class Module(LibraryTest):
    def connect(self):
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        self.addCleanup(connection.close)
        connection.enable_load_extension(True)
        connection.load_extension(loading.EXTENSION)
        connection.enable_load_extension(False)
        self.assertEqual(connection.execute("SELECT extfn_load(?)", [self.lib]).fetchone(),
                         (len(FUNCTIONS),))
        return connection

    def test_values_and_nulls(self):
        connection = self.connect()
        for sql, given, expected in [
                ("SELECT plus(?, ?)", (1, 2.5), 3.5),
                ("SELECT plus(?, ?)", (None, 2.5), None),
                ("SELECT weekday(?)", ("2025-01-02T03:04:05Z",), "Thursday"),
                ("SELECT is_odd(?)", (3,), 1),
                ("SELECT extfn_try('inverse', ?)", (0.5,), '{"ok":2.0}')]:
            with self.subTest(sql=sql, given=given):
                self.assertEqual(connection.execute(sql, given).fetchone(), (expected,))

    def test_errors_fail_the_statement(self):
        connection = self.connect()
        with self.assertRaises(sqlite3.OperationalError) as told:
            connection.execute("SELECT inverse(0)")
        self.assertEqual(str(told.exception), "ZeroDivisionError: float division by zero (line 2)")
        self.assertEqual(
            connection.execute("SELECT extfn_try('inverse', 0) ->> '$.error.kind'").fetchone(),
            ("Runtime",))
        self.assertEqual(connection.execute("SELECT inverse(4)").fetchone(), (0.25,))

    def test_functions_are_listed(self):
        rows = self.connect().execute(
            "SELECT name, language, signature, pure, file FROM extfn_functions"
            " WHERE name IN ('plus', 'draw') ORDER BY name DESC").fetchall()
        self.assertEqual(rows, [
            ("plus", "Python", "plus(x: number, y: number) -> number", 1, self.lib + "/plus.py"),
            ("draw", "Python", "draw() -> text impure", 0, self.lib + "/draw.py")])

    def test_ten_thousand_rows(self):
        connection = self.connect()
        connection.execute("CREATE TABLE t (x REAL)")
        connection.executemany("INSERT INTO t VALUES (?)",
                               [(i if i % 10 else None,) for i in range(10000)])
        self.assertEqual(connection.execute("SELECT count(*), sum(plus(x, 1)) FROM t"
                                            " WHERE plus(x, 1) > 0").fetchone(),
                         (9000, sum(i + 1 for i in range(10000) if i % 10)))
        connection.execute("UPDATE t SET x = plus(x, 0.5)")
        self.assertEqual(connection.execute("SELECT max(x), count(x) FROM t").fetchone(),
                         (9999.5, 9000))

    def test_sqlite_is_told_what_is_pure_and_that_schemas_may_call_nothing(self):
        deterministic, direct_only = 0x800, 0x80000
        rows = self.connect().execute(
            "SELECT name, flags FROM pragma_function_list WHERE name = 'extfn_try'"
            " OR name IN (SELECT name FROM extfn_functions) OR name = 'extfn_load'").fetchall()
        self.assertEqual(dict(rows), {
            "extfn_try": direct_only, "draw": direct_only,
            **{name: deterministic | direct_only for name in (
                "extfn_load", "plus", "weekday", "inverse", "is_odd", "forever", "once")}})

    def test_pure_functions_are_called_once_and_others_for_each_row(self):
        connection = self.connect()
        self.assertEqual(connection.execute(
            "SELECT count(DISTINCT once()), count(DISTINCT draw())"
            " FROM (VALUES (1), (2), (3), (4))").fetchone(), (1, 4))

    def test_an_interrupt_ends_a_call_that_is_under_way(self):
        connection = self.connect()
        threading.Timer(0.5, connection.interrupt).start()
        started = time.monotonic()
        with self.assertRaisesRegex(sqlite3.OperationalError, "^interrupted$"):
            connection.execute("SELECT forever(1)")
        self.assertGreater(time.monotonic() - started, 0.4)
        self.assertEqual(connection.execute("SELECT plus(1, 2)").fetchone(), (3.0,))

    def test_connections_are_independent(self):
        first, second = self.connect(), self.connect()
        self.write("plus.py", "# extfn: plus(x: number, y: number) -> number\nresult = x - y\n")
        second.execute("SELECT extfn_load(?)", [self.lib])
        self.assertEqual(first.execute("SELECT plus(1, 2)").fetchone(), (3.0,))
        self.assertEqual(second.execute("SELECT plus(1, 2)").fetchone(), (-1.0,))
        first.close()
        self.assertEqual(second.execute("SELECT plus(5, 2)").fetchone(), (3.0,))

    def test_threads_open_and_close_connections(self):
        wrong = []

        def work():
            for _ in range(3):
                with self.subTest():
                    connection = self.connect()
                    if connection.execute("SELECT plus(20, 22)").fetchone() != (42.0,):
                        wrong.append(connection)
                    connection.close()

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Shell(LibraryTest):
    def ask(self, sql, env=None):
        done = subprocess.run([loading.SHELL, ":memory:"],
                              input=f".load {loading.EXTENSION}\n{sql}", text=True,
                              capture_output=True, timeout=60, check=False,
                              env={**os.environ, **(env or {})}, cwd=self.lib)
        return done.stdout, done.stderr

    def test_functions_are_called(self):
        self.assertEqual(self.ask("SELECT extfn_load('.'), plus(1, 2);"),
                         ("", "Parse error near line 2: no such function: plus\n"
                              "  SELECT extfn_load('.'), plus(1, 2);\n"
                              "                          ^--- error here\n"))
        self.assertEqual(self.ask("SELECT extfn_load('.');\nSELECT plus(1, 2), plus(NULL, 1);"),
                         (f"{len(FUNCTIONS)}\n3.0|\n", ""))

    def test_a_name_that_is_a_word_of_sql_is_quoted(self):
        self.write("add.py", "# extfn: add(x: number) -> number\nresult = x + 1\n")
        self.assertEqual(self.ask("SELECT extfn_load('add.py');\nSELECT \"add\"(1);"),
                         ("1\n2.0\n", ""))

    def test_errors_are_told(self):
        self.assertEqual(self.ask("SELECT extfn_load('plus.py');\nSELECT plus('a', 2);"),
                         ("1\n", "Runtime error near line 3: function plus: argument 0 type "
                                 "mismatch, expected Number, got TEXT\n"))

    def test_results_without_a_sandbox_say_so(self):
        told, log = self.ask(".log stderr\nSELECT extfn_load('plus.py');\nSELECT plus(1, 2);\n"
                             "SELECT plus(3, 4);\nSELECT extfn_try('plus', 1, 2);",
                             {"PATH": self.lib, "IMPROV_EXTFN_ALLOW_UNSANDBOXED": "1"})
        self.assertEqual(told, '1\n3.0\n7.0\n{"ok":3.0,"unsandboxed":true}\n')
        self.assertRegex(log, r"^\(28\) extfn: no sandbox can be had here: functions run "
                              r"with limits alone, as IMPROV_EXTFN_ALLOW_UNSANDBOXED allows\n$")

    def test_the_environment_decides_as_it_does_for_the_program(self):
        answer = self.ask("SELECT extfn_load('plus.py');\nSELECT plus(1, 2);",
                          {"EXTFN_INTERPRETER_PYTHON": "/no/such/python"})
        self.assertEqual(answer[0], "1\n")
        self.assertIn("/no/such/python", answer[1])


if __name__ == "__main__":
    loading.main()
