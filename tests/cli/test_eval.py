"""eval, call and check. SPDX-License-Identifier: MIT"""
import json
import os
import re
import shutil
import unittest

import program
from program import LIB

PYTHON = ["eval", "-l", "python"]
R = ["eval", "-l", "r"]

GOOD = [
    ([*PYTHON, "result = args[0] + args[1]", "2", "3"], "5.0\n"),
    ([*R, "result <- args[[1]] + args[[2]]", "2", "3"], "5.0\n"),
    ([*PYTHON, "result = -args[0]", "-2.5"], "2.5\n"),
    ([*PYTHON, "result = args[0] - args[1]", "-1e3", "-inf"], "inf\n"),
    ([*PYTHON, "-t", "text,text", "-r", "text", "result = args[0] + args[1]", "2", "3"], "23\n"),
    ([*PYTHON, "-t", "number,text->text", "result = args[1] * int(args[0])", "2", "ab"], "abab\n"),
    ([*PYTHON, "-r", "boolean", "result = args[0] and args[1] == 'x'", "true", "x"], "true\n"),
    ([*PYTHON, "-r", "text", "result = args[0]", "--", "--json"], "--json\n"),
    ([*PYTHON, "-t", "datetime", "-r", "datetime", "result = args[0]", "2025-01-02T04:04:05+01:00"],
     "2025-01-02T03:04:05Z\n"),
    ([*PYTHON, "-t", "enum", "-r", "enum", "result = args[0] + 1", "41"], "42\n"),
    ([*PYTHON, "result = len(args)"], "0.0\n"),
    ([*R, "-r", "text", "result <- paste0(args[[1]], '\n', 'b')", "a\tü"], "a\tü\nb\n"),
    (["call", LIB, "hypot", "3", "4"], "5.0\n"),
    (["call", LIB, "shout", "hey"], "HEY!\n"),
    (["call", LIB, "answer"], "42.0\n"),
    (["call", LIB, "half", "3"], "1.5\n"),
    (["call", LIB, "next_day", "2024-02-28T12:00:00Z", "x"], "2024-02-29T12:00:00Z\n"),
    (["call", os.path.join(LIB, "hypot.py"), "hypot", "3", "4", "--timeout", "20"], "5.0\n"),
]

FAILED = [
    ([*PYTHON, "raise ValueError('nope')"], 1, r"extfn: ValueError: nope \(line 1\)\n"),
    ([*PYTHON, "pass"], 1, r"extfn: function body did not set `result`.*\n"),
    ([*PYTHON, "result = 'abc'"], 1, r"extfn: return type mismatch: expected Number, got Text.*\n"),
    ([*PYTHON, "result = ("], 1, r"extfn: SyntaxError: .*\n"),
    ([*PYTHON, "raise ValueError('\\n\\x1b[31m')"], 1,
     r"extfn: ValueError: \\n\\x1b\[31m \(line 1\)\n"),
    ([*PYTHON, "--timeout", "0.3", "while True: pass"], 5,
     r"extfn: function timed out after 300ms; --timeout SECONDS gives it longer\n"),
    (["call", LIB, "inverse_r", "0"], 1, r"extfn: \S*/inverse_r\.R:2: .*division by zero.*\n"),
    ([*PYTHON, "--memory", "200M", "result = len(bytearray(1 << 30))"], 1,
     r"extfn: .*memory.*\n"),
    (["eval", "-l", "julia", "--interpreter", "julia=/no/julia", "x"], 3,
     r"extfn: language runtime unavailable: Julia .*\n"),
    ([*PYTHON, "--interpreter", "python=/none/python", "result = 1"], 3,
     r"extfn: language runtime unavailable: Python .*\n"),
]


class Calls(program.ProgramTest):
    def test_results_are_alone_on_stdout(self):
        self.check_all([(args, 0, stdout, "") for args, stdout in GOOD])

    def test_failures_are_one_line_with_a_status(self):
        self.check_all([(args, status, "", stderr) for args, status, stderr in FAILED])

    def test_bodies_come_from_stdin_and_from_files(self):
        self.check([*PYTHON, "-", "3"], stdin="x = args[0]\nresult = x\n", stdout="3.0\n")
        body = self.write("body", "\n\nresult = args[0] / 0")
        self.check([*PYTHON, "@" + body, "3"], status=1, stderr=r"extfn: Zero.*\(line 3\)\n")
        self.check([*PYTHON, "-"], stdin="x" * (17 << 20), status=2,
                   stderr=r"extfn: 'stdin' is longer than 16777216 bytes\n")

    def test_what_bodies_print_is_on_stderr(self):
        self.check(["call", LIB, "chatter", "3"], stdout="3.0\n",
                   stderr=r"to stdout 3.0\nto stderr\n")

    def test_an_error_begins_a_line_whatever_the_body_printed(self):
        body = "import sys; print('out', end=''); print('err', end='', file=sys.stderr); result = "
        self.check([*PYTHON, body + "1 / 0"], status=1, stderr=r"out\nerr\nextfn: Zero.*\n")
        self.check([*PYTHON, body + "1"], stdout="1.0\n", stderr=r"out\nerr\n")

    def test_json_holds_all_of_it(self):
        self.check(["call", LIB, "chatter", "3", "--json"],
                   stdout='{"ok":3.0,"stdout":"to stdout 3.0\\n","stderr":"to stderr\\n"}\n')
        self.check(["call", LIB, "hypot", "3", "--json"], status=2,
                   stdout='{"error":{"kind":"ArityMismatch","message":"function hypot: expected 2 '
                          'argument(s), got 1"}}\n')
        self.check(["call", LIB, "inverse", "0", "--json"], status=1,
                   stdout='{"error":{"kind":"Runtime","message":"ZeroDivisionError: float division '
                          'by zero (line 2)"}}\n')
        self.check(["call", LIB, "hypo", "3", "4", "--json"], status=2,
                   stdout='{"error":{"kind":"NotFound","message":"external function not found: '
                          """hypo; did you mean 'hypot'?"}}\n""")
        self.check([*PYTHON, "--json", "import os; result = os.write(1, bytes([255, 10]))"],
                   stdout='{"ok":2.0,"stdout":"\\ufffd\\n"}\n')

    def test_what_it_cost_is_told(self):
        line = (r"extfn: cost: [0-9.]+ ms, CPU [0-9.]+ ms, memory [0-9.]+ MiB, 1 row, %d bytes in, "
                r"%d bytes out, 1 worker started\n")
        self.check(["call", LIB, "hypot", "3", "4", "--cost"], stdout="5.0\n",
                   stderr=line % (16, 8))
        self.check(["call", LIB, "inverse", "0", "--cost"], 1,
                   stderr=line % (8, 8) + "extfn: .*ZeroDivisionError.*\n")
        done = program.run("call", LIB, "hypot", "3", "4", "--cost", "--json")
        told = json.loads(done.stdout)
        self.assertEqual((told["ok"], told["cost"]["workers_started"]), (5.0, 1))
        self.assertGreater(told["cost"]["cpu_us"], 1000)
        self.check(["call", LIB, "hypot", "3", "--cost"], 2,
                   stderr=r"extfn: .* expected 2 argument\(s\), got 1\n")

    def test_a_library_may_be_descriptors(self):
        path = self.write("lib.json", json.dumps(
            {"name": "add", "language": "Python", "body": "result = args[0] + args[1]",
             "arg_types": ["Number", "Number"], "return_type": "Number", "pure": True}))
        self.check(["call", path, "add", "2", "3"], stdout="5.0\n")
        table = self.write("d.csv", "a,b\n1,2\n")
        self.check(["apply", path, "add", table], status=2,
                   stderr=r"extfn: function add: argument 0 has no name; .*\n")

    def test_bad_neighbours_do_not_matter(self):
        bad = self.write_bad_library()
        self.check(["call", bad, "sound", "3"], stdout="3.0\n")
        self.check(["call", bad, "undeclared", "3"], status=2,
                   stderr=r"extfn: .*/undeclared\.py:1: no declaration; .*\n")
        self.check(["call", bad, "elsewhere", "3"], status=2,
                   stderr=r"extfn: external function not found: elsewhere; .*\.py:1: .*\n")

    def test_the_problem_of_the_file_that_is_named_so_comes_before_a_near_name(self):
        self.write("a.py", "# extfn: a(x: nothing) -> number\nresult = x\n")
        self.write("price.py", "# extfn: price(x: numbr) -> number\nresult = x\n")
        self.write("prices.py", "# extfn: prices(x: number) -> number\nresult = x\n")
        self.check(["call", self.directory, "price", "3"], status=2,
                   stderr=r"extfn: .*/price\.py:1: unknown type 'numbr'; .*\n")
        self.check(["call", self.directory, "pricess", "3"], status=2,
                   stderr=r"extfn: external function not found: pricess; .* 'prices'\?\n")

    def test_failures_of_a_function_file_begin_with_the_place(self):
        path = self.write("b.py", "# extfn: b(x: number) -> number\nresult = (\n")
        place = re.escape(path) + ":2: SyntaxError: "
        self.check(["call", path, "b", "3"], 1, "", rf"extfn: {place}(?!.*\(line).*\n")
        done = program.run("check", path)
        self.assertRegex(done.stdout.decode(), rf"\A{place}(?!.*\(line).*\n\Z")
        done = program.run("call", path, "b", "3", "--json")
        self.assertIn("(line 2)", json.loads(done.stdout)["error"]["message"])
        path = self.write("c.R", '# extfn: c(x: number) -> number\n\nstop("no (line 7) here")\n')
        self.check(["call", path, "c", "3"], 1, "",
                   rf"extfn: {re.escape(path)}:3: .*no \(line 7\) here\n")

    def test_types_may_be_spelled_as_in_descriptors(self):
        self.write("f.py", "# extfn: f(x: Number, at: DateTime) -> Text\nresult = 'x'\n")
        self.check(["list", self.directory],
                   stdout="Python  f(x: number, at: datetime) -> text\n")

    def test_check_compiles_every_function(self):
        done = program.run("check", LIB)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.decode().splitlines()
        self.assertEqual(len(lines), len(os.listdir(LIB)))
        self.assertIn(f"{LIB}/roll.py: ok roll(x: number) -> number impure", lines)

    def test_check_tells_how_functions_are_evaluated(self):
        done = program.run("check", LIB, "--verbose")
        lines = done.stdout.decode().splitlines()
        self.assertIn(f"{LIB}/roll.py: ok roll(x: number) -> number impure, compiled once", lines)
        done = program.run("check", LIB, "--verbose", "--json")
        self.assertEqual({json.loads(line)["form"] for line in done.stdout.splitlines()},
                         {"compiled once"})

    @unittest.skipUnless(shutil.which("julia"), "needs julia, which this machine lacks")
    def test_check_tells_what_julia_evaluates_for_each_row(self):
        bodies = {"plain": "result = 2x", "own": "x = 1\nlet\n x = 2\nend\nresult = x"}
        for name, body in bodies.items():
            self.write(f"{name}.jl", f"# extfn: {name}(x: number) -> number\n{body}\n")
        self.check(["check", self.directory, "-v"], stdout=(
            f"{self.directory}/own.jl: ok own(x: number) -> number, evaluated for each row\n"
            f"{self.directory}/plain.jl: ok plain(x: number) -> number, compiled once\n"))

    def test_check_tells_what_is_bad(self):
        bad = self.write_bad_library()
        done = program.run("check", bad)
        self.assertEqual(done.returncode, 1)
        text = done.stdout.decode()
        self.assertIn(f"{bad}/undeclared.py:1: ", text)
        self.assertRegex(text, rf"{bad}/unsound.R:2: .*")
        self.assertIn(f"{bad}/sound.py: ok ", text)
        self.assertEqual(done.stderr, b"extfn: 2 of 3 functions failed the check; see above\n")
        done = program.run("check", bad, "--json")
        found = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len([one for one in found if "error" in one]), 2)

    def test_check_tells_a_missing_language_from_a_bad_function(self):
        self.write("sound.py", "# extfn: sound(x: number) -> number\nresult = x\n")
        self.write("there.jl", "# extfn: there(x: number) -> number\nresult = x\n")
        check = ["check", self.directory, "--interpreter", "julia=/none"]
        done = program.run(*check)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"sound.py: ok ", done.stdout)
        self.write("unsound.py", "# extfn: unsound(x: number) -> number\nresult = (\n")
        self.assertEqual(program.run(*check).returncode, 1)

    def test_without_bubblewrap_nothing_runs(self):
        env = {"PATH": self.directory}
        self.check(["call", LIB, "hypot", "3", "4"], status=4, env=env,
                   stderr=r"extfn: sandbox unavailable: .*; .*\n")
        done = program.run("check", LIB, env=env)
        self.assertEqual(done.returncode, 4)

    def test_without_bubblewrap_the_operator_may_allow_it(self):
        env = {"PATH": self.directory, "IMPROV_EXTFN_ALLOW_UNSANDBOXED": "1"}
        self.check(["call", LIB, "hypot", "3", "4"], env=env, stdout="5.0\n",
                   stderr=r"extfn: warning: ran without sandbox "
                          r"\(IMPROV_EXTFN_ALLOW_UNSANDBOXED=1\)\n")
        self.check(["call", LIB, "hypot", "3", "4", "--json"], env=env,
                   stdout='{"ok":5.0,"unsandboxed":true}\n')


if __name__ == "__main__":
    program.main()
