"""apply: one function over a table. SPDX-License-Identifier: MIT"""
import csv
import json
import os
import stat
import subprocess

import program
from program import EXTFN, LIB

TABLES = [
    ("hypot", "x,y\n3,4\n6,8\n", "x,y,hypot,hypot_error\n3,4,5.0,\n6,8,10.0,\n", 0, ""),
    ("hypot", "y,note,x\n4,\"a, \"\"b\"\"\",3\n",
     "y,note,x,hypot,hypot_error\n4,\"a, \"\"b\"\"\",3,5.0,\n", 0, ""),
    ("shout", "text\n\"two\nlines\"\n\n\"\"\n üé \n",
     "text,shout,shout_error\n\"two\nlines\",\"TWO\nLINES!\",\n,!,\n üé , ÜÉ !,\n", 0, ""),
    ("hypot", "\ufeffx,y\r\n3,4\r\n", "\ufeffx,y,hypot,hypot_error\r\n3,4,5.0,\r\n", 0, ""),
    ("hypot", "x,y\n3,4", "x,y,hypot,hypot_error\n3,4,5.0,\n", 0, ""),
    ("hypot", "x,y\n", "x,y,hypot,hypot_error\n", 0, ""),
    ("answer", "a\n1\n2\n", "a,answer,answer_error\n1,42.0,\n2,42.0,\n", 0, ""),
    ("half", "x\n1\n2\n", "x,half,half_error\n1,0.5,\n2,1.0,\n", 0, ""),
    ("next_day", "day,label\n2024-02-28T00:00:00Z,\n",
     "day,label,next_day,next_day_error\n2024-02-28T00:00:00Z,,2024-02-29T00:00:00Z,\n", 0, ""),
    ("hypot", "x,y\n,4\nabc,4\n3,4\n",
     "x,y,hypot,hypot_error\n,4,,missing input: x\nabc,4,,\"x: expected Number, got 'abc'; "
     "it is written like 2.5\"\n"
     "3,4,5.0,\n",
     1, r"extfn: 2 of 3 rows failed; see column hypot_error\n"),
    ("inverse", "x\n1\n0\n4\n",
     "x,inverse,inverse_error\n1,1.0,\n0,,ZeroDivisionError: float division by zero (line 2)\n"
     "4,0.25,\n", 1, r"extfn: 1 of 3 rows failed; see column inverse_error\n"),
    # What apply wrote goes in again, errors too; a row with a value has no error.
    ("hypot", "x,y,y_error\n3,4,0.5\n3,,ValueError: no\n3,,\n",
     "x,y,y_error,hypot,hypot_error\n3,4,0.5,5.0,\n3,,ValueError: no,,ValueError: no\n"
     "3,,,,missing input: y\n", 1, r"extfn: 2 of 3 rows failed; see column hypot_error\n"),
]

REFUSED = [
    ("hypot", "", r"extfn: \S*: empty; its first line must name the columns .*\n"),
    ("hypot", "x,z\n1,2\n", r"extfn: \S*: no column 'y'; the header has x, z\n"),
    ("hypot", "x,y,x\n1,2,3\n", r"extfn: \S*: 2 columns are named 'x'; rename all but one\n"),
    ("hypot", "x,y,hypot\n1,2,3\n",
     r"extfn: \S*: there is a column 'hypot' already; give .* another name with --column NAME\n"),
    ("hypot", "x,y,hypot_error\n1,2,3\n",
     r"extfn: .* 'hypot_error' already; give .* another name with --column NAME\n"),
    ("hypot", "x;y\n1;2\n",
     r"extfn: \S*: the fields are separated by ';', extfn reads ','; write .* with commas\n"),
    ("hypot", "a;b\n1;2\n", r"extfn: \S*: no column 'x'; the header has a;b\n"),
    ("hypot", b"x,y,note\n3,4,\xc3\xbc\n3,4,\xfc\n",
     r"extfn: \S*:3: column 'note' is not UTF-8; convert the file\n"),
    ("hypot", b"x,y,\xfc\n3,4,\n",
     r"extfn: \S*:1: the name of column 3 is not UTF-8; convert the file\n"),
    ("hypot", "x,y\n1,2\n1,2,3\n", r"extfn: \S*:3: 3 fields where the header has 2; .*\n"),
    ("hypot", "x,y\n1,2\n\"1,2\n", r"extfn: \S*:3: the row has a quote that is never closed\n"),
    ("hypot", "x,y\n1\"1,2\n", r"extfn: \S*:2: a quote that does not enclose .*\n"),
]


class Apply(program.ProgramTest):
    def test_tables(self):
        for name, table, wanted, status, stderr in TABLES:
            with self.subTest(name=name, table=table):
                path = self.write("d.csv", table)
                self.check(["apply", LIB, name, path], status, wanted, stderr)
                self.check(["apply", LIB, name, "-"], status, wanted, stderr, stdin=table)

    def test_tables_that_are_refused_leave_no_file(self):
        for name, table, stderr in REFUSED:
            with self.subTest(name=name, table=table):
                path = self.write("d.csv", table)
                self.check(["apply", LIB, name, path, "-o", self.path("o.csv")], 2, "", stderr)
                self.assertEqual(os.listdir(self.directory), ["d.csv"])

    def test_what_is_wrong_with_the_function_fails_once(self):
        body = self.write("f.py", "# extfn: f(x: number) -> number\nresult = (\n")
        path = self.write("d.csv", "x\n1\n2\n")
        self.check(["apply", body, "f", path, "-o", self.path("o.csv")], 1, "",
                   r"extfn: \S*/f\.py:2: SyntaxError: .*\n")
        self.assertEqual(sorted(os.listdir(self.directory)), ["d.csv", "f.py"])

    def test_keep_going_is_success(self):
        path = self.write("d.csv", "x\n0\n")
        done = program.run("apply", LIB, "inverse", path, "--keep-going")
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_the_result_column_may_have_another_name(self):
        self.check(["apply", LIB, "inverse", "-", "--column", "per, x"], stdin="x,inverse\n2,3\n",
                   stdout='x,inverse,"per, x","per, x_error"\n2,3,0.5,\n')

    def test_a_dash_is_stdout_and_no_file(self):
        done = program.run("apply", LIB, "inverse", "-", "-o", "-", stdin=b"x\n2\n",
                           cwd=self.directory)
        self.assertEqual(done.stdout, b"x,inverse,inverse_error\n2,0.5,\n")
        self.assertFalse(os.path.exists(self.path("-")))

    def test_a_name_that_is_taken_is_not_advised_again(self):
        for header in ["x,y,z", "x,y,z_error"]:
            self.check(["apply", LIB, "hypot", "-", "--column", "z"], 2, stdin=header + "\n3,4,5\n",
                       stderr=r"extfn: .*: there is a column 'z(_error)?' already; "
                              r"choose another name than 'z'\n")

    def test_cells_that_do_not_fit_tell_the_form(self):
        path = self.write("f.py", "# extfn: f(n: number, b: boolean, at: datetime, kind: enum) "
                          "-> number\nresult = n\n")
        tell = "{}: expected {}, got '{}'; {}".format
        rows = [
            ('"80,5",true,2024-01-03T00:00:00Z,1',
             tell("n", "Number", "80,5", "the decimal sign is a point")),
            ("1,yes,2024-01-03T00:00:00Z,1",
             tell("b", "Boolean", "yes", "it is written true or false")),
            ("1,true,2024-01-03,1",
             tell("at", "DateTime", "2024-01-03", "it is written like 2025-01-02T03:04:05Z")),
            ("1,true,2024-02-30T00:00:00Z,1",
             tell("at", "DateTime", "2024-02-30T00:00:00Z",
                  "datetime '2024-02-30T00:00:00Z': no such date or time of day")),
            ("1,true,2024-01-03T00:00:00Z,low",
             tell("kind", "Enum", "low",
                  "it is written as an index from 0 to 4294967295")),
        ]
        done = program.run("apply", path, "f", "-",
                           stdin="n,b,at,kind\n" + "".join(row + "\n" for row, _ in rows))
        told = [line[-1] for line in csv.reader(done.stdout.decode().splitlines())]
        self.assertEqual(told[1:], [message for _, message in rows])

    def test_the_output_may_be_the_input(self):
        path = self.write("d.csv", "x\n2\n")
        os.chmod(path, 0o640)
        self.check(["apply", LIB, "inverse", path, "-o", path])
        self.assertEqual(self.read("d.csv"), "x,inverse,inverse_error\n2,0.5,\n")
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o640)
        self.assertEqual(os.listdir(self.directory), ["d.csv"])

    def test_output_that_cannot_be_written_is_told(self):
        path = self.write("d.csv", "x\n2\n")
        self.check(["apply", LIB, "inverse", path, "-o", "/dev/full"], 1, "",
                   r"extfn: write '/dev/full': No space left on device\n")
        self.check(["apply", LIB, "inverse", path, "-o", self.path("none/o.csv")], 1, "",
                   r"extfn: open '.*/none/': No such file or directory\n")
        self.check(["apply", LIB, "inverse", path, "-o", self.directory], 1, "",
                   r"extfn: write '.*': Is a directory\n")
        self.check(["apply", LIB, "inverse", self.directory], 1, "",
                   r"extfn: read '.*': Is a directory\n")

    def test_what_bodies_print_is_on_stderr(self):
        self.check(["apply", LIB, "chatter", "-"], stdin="x\n1\n2\n",
                   stdout="x,chatter,chatter_error\n1,1.0,\n2,2.0,\n",
                   stderr=r"(to (stdout [12].0|stderr)\n){4}")

    def test_long_cells_and_many_columns_come_through(self):
        cell = "x" * 3000000
        row = ",".join(["1"] * 2000)
        header = ",".join(["text"] + [f"c{i}" for i in range(1999)])
        done = program.run("apply", LIB, "shout", "-", stdin=f"text\n{cell}\n")
        self.assertEqual(done.stdout.decode(),
                         f"text,shout,shout_error\n{cell},{cell.upper()}!,\n")
        done = program.run("apply", LIB, "shout", "-", stdin=f"{header}\n{row}\n")
        self.assertEqual(done.stdout.decode(), f"{header},shout,shout_error\n{row},1!,\n")

    def test_progress_is_shown_on_a_terminal_and_taken_away(self):
        reader, terminal = os.openpty()
        with subprocess.Popen([EXTFN, "apply", LIB, "hypot", "-"], stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=terminal) as run:
            run.communicate(b"x,y\n3,4\n", 60)
        self.assertEqual(run.returncode, 0)
        self.assertEqual(os.read(reader, 1000), b"\rextfn: 1 rows\r\x1b[K")
        os.close(terminal)
        os.close(reader)

    def test_memory_does_not_grow_with_the_table(self):
        with open(EXTFN, "rb") as text:
            if b"__asan_init" in text.read():
                self.skipTest("a sanitizer's memory is not ours")
        with open(self.path("o.csv"), "wb") as out, subprocess.Popen(
                [EXTFN, "apply", LIB, "hypot", "-"], stdin=subprocess.PIPE, stdout=out) as run:
            run.stdin.write(b"x,y,note\n")
            for _ in range(300):
                run.stdin.write(b"3,4,some text that is only carried along\n" * 1000)
            run.stdin.flush()
            with open(f"/proc/{run.pid}/status", encoding="ascii") as status:
                peak = next(line for line in status if line.startswith("VmHWM:"))
            run.stdin.close()
            self.assertEqual(run.wait(60), 0)
        self.assertLess(int(peak.split()[1]), 48 * 1024)
        with open(self.path("o.csv"), "rb") as text:
            self.assertEqual(sum(1 for _ in text), 300001)

    def test_a_memo_changes_no_byte_of_the_result(self):
        path = self.write("some.csv", "x\n" + "".join(f"{i % 40}\n" for i in range(5000)))
        written = []
        for memo in [], ["--memo", "1M"]:
            done = program.run("apply", LIB, "inverse", path, *memo)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stdout.count(b"ZeroDivisionError"), 125)
            written.append(done.stdout)
        self.assertEqual(written[0], written[1])

    def test_the_cost_of_a_table_is_that_of_all_its_blocks(self):
        rows = 70000
        path = self.write("many.csv", "x\n" + "1\n" * rows)
        done = program.run("apply", LIB, "half", path, "--cost", "-o", self.path("out.csv"))
        self.assertRegex(done.stderr.decode(), rf"\Aextfn: cost: .*, {rows} rows, {8 * rows} bytes "
                         rf"in, {8 * rows} bytes out, \d+ workers? started, \d+ warm workers?\n\Z")

    def test_json_tells_of_the_table_that_was_written(self):
        path, out = self.write("d.csv", "x\n1\n0\n4\n"), self.path("o.csv")
        told = {"file": out, "column": "inverse", "error_column": "inverse_error", "rows": 3,
                "failed": 1}
        for more, status in ([], 1), (["--keep-going"], 0):
            done = program.run("apply", LIB, "inverse", path, "-o", out, "--json", *more)
            self.assertEqual((done.returncode, json.loads(done.stdout), done.stderr),
                             (status, told, b""))
        self.assertEqual(self.read("o.csv").count("\n"), 4)
        ones, twos = self.write("1.csv", "x\n3\n"), self.write("2.csv", "k,y\na,4\nb,\n")
        done = program.run("apply", LIB, "hypot", ones, twos, "-o", out, "--json", "--cost")
        told = json.loads(done.stdout)
        self.assertEqual((told["rows"], told["failed"], told["column"]), (2, 1, "hypot"))
        self.assertEqual((done.returncode, told["cost"]["rows"], done.stderr), (1, 2, b""))

    def test_json_has_the_failure_of_the_function_as_a_whole(self):
        path, out = self.write("d.csv", "x\n1\n"), self.path("o.csv")
        lib = self.write("bad.py", "# extfn: bad(x: number) -> number\nresult = (\n")
        done = program.run("apply", lib, "bad", path, "-o", out, "--json")
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        error = json.loads(done.stdout)["error"]
        self.assertEqual(error["kind"], "Runtime")
        self.assertIn("SyntaxError", error["message"])
        self.assertFalse(os.path.exists(out))

    def test_json_where_stdout_has_the_table_is_refused(self):
        path = self.write("d.csv", "x\n1\n")
        for more in [], ["-o", "-"]:
            self.check(["apply", LIB, "inverse", path, "--json", *more], 2,
                       stderr=r"extfn: with --json .* -o FILE\n")

    def test_files_that_the_python_package_reads_are_refused(self):
        told = r"extfn: '\S+' is no CSV file; extfn's Python package reads .*docs/python\.md\)\n"
        path = self.write("d.csv", "x\n1\n")
        for name in "d.parquet", "d.arrow", "D.FEATHER":
            self.check(["apply", LIB, "inverse", self.write(name, "PAR1")], 2, stderr=told)
            self.check(["apply", LIB, "hypot", path, self.path(name)], 2, stderr=told)
            self.check(["apply", LIB, "inverse", path, "-o", self.path(name)], 2, stderr=told)


if __name__ == "__main__":
    program.main()
