"""replay: recorded calls once more. SPDX-License-Identifier: MIT"""
import json
import os

import program
from program import LIB

PYTHON = ["eval", "-l", "python"]

# Each fails in its own way, and again.
FAILURES = [
    [*PYTHON, "raise ValueError('nope')"],
    [*PYTHON, "import sys\nprint('a', chr(233), file=sys.stderr)\nresult = 'x'"],
    [*PYTHON, "import os\nos.write(2, bytes([255, 0, 10]))\nos._exit(3)"],
    [*PYTHON, "result = ("],
    [*PYTHON, "while True: pass", "--timeout", "0.4"],
    [*PYTHON, "--memory", "200M", "result = len(bytearray(1 << 30))"],
    [*PYTHON, "-t", "number,text,datetime,enum,boolean", "raise ValueError(repr(args))",
     "--", "-0", "ü\t", "2025-01-02T03:04:05.000001+01:00", "7", "true"],
    [*PYTHON, "raise ValueError(repr(args))", "NaN", "inf", "5e-324"],
    ["eval", "-l", "r", "stop('nope')"],
    ["eval", "-l", "wasm", 'wat:(module (func (export "improv_call") (result f64) unreachable))'],
    ["call", LIB, "inverse", "0"],
    ["call", LIB, "inverse_r", "0"],
]


class Replays(program.ProgramTest):
    def record(self, args, name="rec"):
        done = program.run(args[0], "--record", self.path(name), *args[1:])
        self.assertNotEqual(done.returncode, 0, args)
        return self.path(name)

    def record_one(self, args, **changes):
        """The path of a record of its own, changed."""
        folder = self.record(args, "one")
        [name] = os.listdir(folder)
        path = os.path.join(folder, name)
        content = {**json.loads(self.read(path)), **changes}
        os.unlink(path)
        return self.write("changed.json", json.dumps(content))

    def test_what_fails_again_alike_is_the_same(self):
        for args in FAILURES:
            folder = self.record(args)
        self.assertEqual(len(os.listdir(folder)), len(FAILURES))
        done = program.run("replay", folder)
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout.decode())
        lines = done.stdout.decode().splitlines()
        self.assertEqual(len(lines), len(FAILURES))
        for line in lines:
            self.assertRegex(line, r"\A\S+\.json: same: (Runtime|Timeout): ")

    def test_rows_of_a_table_fail_alone_as_well(self):
        table = self.write("d.csv", "x\n1\n0\n2\n0\n")
        folder = self.record(["apply", LIB, "inverse", table, "-o", self.path("out.csv")])
        done = program.run("replay", folder)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout.count(b": same: Runtime: ZeroDivisionError"), 2)

    def test_a_missing_language_is_missing_again(self):
        missing = ["--interpreter", "python=/nonexistent/python"]
        path = self.record([*PYTHON, "result = 1", *missing])
        self.assertEqual(program.run("replay", path, *missing).returncode, 0)
        done = program.run("replay", path)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"  now:      Ok: 1.0\n", done.stdout)

    def test_another_outcome_is_shown_beside_the_first(self):
        path = self.record_one([*PYTHON, "raise ValueError('nope')"],
                               interpreter_version="Python 2.7", packages="/none",
                               outcome={"kind": "Runtime", "message": "other", "stderr": ""})
        pattern = (r"\S+: another outcome\n  recorded: Runtime: other\n"
                   r"  now:      Runtime: ValueError: nope \(line 1\)\n"
                   r"  recorded stderr: \n  stderr now:      \n"
                   r"  timeout:  5 s; now 3 s\n"
                   r"  version:  Python 2\.7; now Python 3\S+\n  packages: /none; now none\n")
        done = program.run("replay", path, "--timeout", "3")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout.decode(), rf"\A{pattern}\Z")
        self.assertEqual(done.stderr,
                         b"extfn: 1 of 1 calls had another outcome; see above\n")

    def test_nothing_is_left_out_of_the_comparison(self):
        same = {"kind": "Runtime", "message": "ValueError: nope (line 3)", "stderr": "a\n"}
        args = [*PYTHON, "import sys\nprint('a', file=sys.stderr)\nraise ValueError('nope')"]
        for change, status in [({}, 0), ({"kind": "Timeout"}, 1), ({"stderr": "a"}, 1),
                               ({"message": "ValueError: nope (line 2)"}, 1)]:
            path = self.record_one(args, outcome={**same, **change})
            self.assertEqual(program.run("replay", path).returncode, status, change)
        del same["stderr"]  # of a batch it is not known
        path = self.record_one(args, outcome=same)
        self.assertEqual(program.run("replay", path).returncode, 0)
        path = self.record_one(args, outcome={**same, "message": "other"})
        self.assertNotIn(b"stderr now", program.run("replay", path).stdout)

    def test_json_has_both_outcomes(self):
        path = self.record_one([*PYTHON, "raise ValueError('nope')"],
                               outcome={"kind": "Timeout", "message": "late"})
        done = program.run("replay", path, "/dev/null", "--json")
        first, second = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(first, {
            "path": path, "same": False,
            "recorded": {"error": {"kind": "Timeout", "message": "late"}},
            "now": {"error": {"kind": "Runtime", "message": "ValueError: nope (line 1)"}}})
        self.assertEqual(second["error"]["kind"], "InvalidArgument")

    def test_what_is_no_record_has_status_2(self):
        bad = self.write("bad.json", '{"extfn_record":7}\x1b')
        good = self.record([*PYTHON, "raise ValueError('nope')"])
        done = program.run("replay", bad, good)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stdout.decode(), r"\A\S+/bad\.json: no record: .*\n\S+: same: .*\n\Z")
        self.assertEqual(done.stderr, b"extfn: 1 of 2 files are no records; see above\n")
        self.write("huge.json", b" " * ((64 << 20) + 1))
        self.check(["replay", self.path("huge.json")], 2, stderr=".*no records.*\n",
                   stdout=f"{self.path('huge.json')}: no record: '{self.path('huge.json')}' is "
                   "longer than 67108864 bytes\n")
        os.mkdir(self.path("empty"))
        self.check(["replay", self.path("empty")], 2, "", r"extfn: no records in \S+/empty; .*\n")
        self.check(["replay", "/none"], 1, "", r"extfn: open '/none': No such file .*\n")

    def test_what_a_record_says_of_the_operator_is_not_done(self):
        mark = self.path("mark")
        program_of_it = self.write("python", f"#!/bin/sh\ntouch {mark}\n")
        os.chmod(program_of_it, 0o755)
        secret = self.write("secret", "of the operator")
        body = f"raise ValueError(open({secret!r}).read())"
        path = self.record_one([*PYTHON, body], policy="trusted", unsandboxed=True,
                               interpreter=program_of_it, packages=self.directory)
        done = program.run("replay", path)
        self.assertFalse(os.path.exists(mark))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(b"same: Runtime: FileNotFoundError", done.stdout)

    def test_more_memory_than_usual_takes_the_operators_word(self):
        body = "result = len(bytearray(3 << 29))"
        limits = {"timeout_us": 20000000, "start_timeout_us": 30000000,
                  "memory_bytes": 4 << 30, "tmp_bytes": 4 << 30}
        path = self.record_one([*PYTHON, body], limits=limits)
        done = program.run("replay", path)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(b"memory limit of 1 GiB reached", done.stdout)
        done = program.run("replay", path, "--memory", "4G")
        self.assertIn(b"  now:      Ok: 1610612736.0\n", done.stdout)


if __name__ == "__main__":
    program.main()
