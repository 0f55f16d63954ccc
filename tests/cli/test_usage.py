"""Help, version and usage errors: no function runs. SPDX-License-Identifier: MIT"""
import json
import os
import subprocess
import unittest

import program
from program import LIB

COMMANDS = ["eval", "call", "apply", "report", "list", "check", "test", "new", "rpc", "replay",
            "doctor", "bench"]

USAGE = [
    ([], r"extfn: no command given; see 'extfn --help'\n"),
    (["aply"], r"extfn: unknown command 'aply'; did you mean 'apply'\?\n"),
    (["xyzzy"], r"extfn: unknown command 'xyzzy'; see 'extfn --help'\n"),
    (["eval", "--timout", "1", "x"],
     r"extfn: unknown option '--timout'; did you mean '--timeout'\?\n"),
    (["eval", "x"], r"extfn: no language given; write '-l python'\n"),
    (["eval", "-l", "cobol", "x"], r"extfn: unknown language 'cobol'; .*\n"),
    (["eval", "-l", "python", "-t", "num", "x", "1"],
     r"extfn: type 'num' is unknown; there are .*\n"),
    (["eval", "-l", "python", "-r", "num", "x"], r"extfn: type 'num' is unknown; .*\n"),
    (["eval", "-l", "python", "--timeout", "0", "x"], r"extfn: '0' is no time; .*\n"),
    (["call", LIB], r"extfn: not enough arguments for 'call'; usage: extfn call LIB .*\n"),
    (["list", LIB, "x"], r"extfn: too many arguments for 'list'; .*\n"),
    (["call", LIB, "hypto", "1"],
     r"extfn: external function not found: hypto; did you mean 'hypot'\?\n"),
    (["call", LIB, "frobnicate", "1"],
     r"extfn: external function not found: frobnicate; 'extfn list LIB' .*\n"),
    (["call", LIB, "hypot", "1"],
     r"extfn: function hypot: expected 2 argument\(s\), got 1\n"),
    (["call", LIB, "hypot", "1", "two"],
     r"extfn: function hypot: argument 1 type mismatch, expected Number, got Text; "
     r"'y' is written like 2\.5\n"),
    (["call", LIB, "hypot", "1", "2,5"],
     r"extfn: .* expected Number, got Text; the decimal sign is a point\n"),
    (["call", LIB, "hypot", "1", "1e999"], r"extfn: .*, got Text; number '1e999' is beyond .*\n"),
    (["call", LIB, "next_day", "2024-01-03", "x"],
     r"extfn: function next_day: argument 0 type mismatch, expected DateTime, got Text; "
     r"'day' is written like 2025-01-02T03:04:05Z\n"),
    (["eval", "-l", "python", "-t", "enum", "x", "low"],
     r"extfn: .*, expected Enum, got Text; it is written as an index from 0 to 4294967295\n"),
    (["eval", "-l", "python", "--memory", "1", "x"],
     r"extfn: '1' is less than 16 MiB; write it like 512M\n"),
    (["doctor", "extra"], "extfn: too many arguments for 'doctor'; usage: extfn doctor\n"),
    (["test"], r"extfn: not enough arguments for 'test'; usage: extfn test LIB \[NAME...\]\n"),
    (["new", "python"], r"extfn: not enough arguments for 'new'; .*\n"),
    (["new", "cobol", "f"], r"extfn: unknown language 'cobol'; .*\n"),
    (["new", "r", "1st"],
     r"extfn: '1st' is no name of a function; it takes letters, digits and '_'\n"),
    (["new", "r", "a/b"], r"extfn: 'a/b' is no name of a function; .*\n"),
    (["apply", LIB, "hypot"], r"extfn: not enough arguments for 'apply'; .*\n"),
]


class Usage(program.ProgramTest):
    def test_help_and_version_are_on_stdout(self):
        for args in [["--help"], ["-h"], *([name, "--help"] for name in COMMANDS)]:
            done = program.run(*args)
            self.assertEqual(done.returncode, 0)
            self.assertIn(b"usage: extfn", done.stdout)
            self.assertEqual(done.stderr, b"")
        self.check(["--version"], stdout="extfn 0.1.0\n")

    def test_help_names_every_command(self):
        text = program.run("--help").stdout.decode()
        for name in COMMANDS:
            self.assertRegex(text, rf"\n  {name} ")

    def test_every_command_writes_json_and_rpc_nothing_else(self):
        for name in COMMANDS:
            text = program.run(name, "--help").stdout.decode()
            self.assertEqual("  --json " in text, name != "rpc", name)

    def test_help_lines_fit_a_terminal(self):
        for args in [["--help"], *([name, "--help"] for name in COMMANDS)]:
            for line in program.run(*args).stdout.decode().splitlines():
                self.assertLessEqual(len(line), 100, line)
                self.assertEqual(line, line.rstrip())

    def test_usage_errors_are_one_line_and_status_2(self):
        self.check_all([(args, 2, "", stderr) for args, stderr in USAGE])

    def test_missing_files_are_told(self):
        none = r"extfn: (open '/none'|/none): No such file or directory\n"
        library = "extfn: /none: No such file or directory; LIB is a function file, a directory " \
                  "of them, or a JSON file of descriptors\n"
        self.check_all([
            (["list", "/none"], 1, "", library),
            (["call", "/none", "f"], 1, "", library),
            (["check", "/none"], 1, "", library),
            (["test", "/none"], 1, "", library),
            (["test", "/none", "f"], 1, "", library),
            (["new", "r", "f", "/none/more"], 1, "",
             "extfn: create the folder '/none/more': No such file or directory\n"),
            (["apply", "/none", "f", "x.csv"], 1, "", library),
            (["apply", LIB, "hypot", "/none"], 1, "", none),
            (["eval", "-l", "r", "@/none"], 1, "", none),
            (["rpc", "/none"], 1, "", library),
        ])

    def test_list_is_sorted(self):
        lines = program.run("list", LIB).stdout.decode().splitlines()
        names = [line.split(None, 1)[1].split("(")[0] for line in lines]
        self.assertEqual(names, sorted(names))
        self.assertIn("Python  roll(x: number) -> number impure", lines)
        self.assertIn("R       half(x: number) -> number vectorized", lines)

    def test_list_writes_descriptors(self):
        listed = json.loads(program.run("list", LIB, "--json").stdout)
        hypot = next(one for one in listed if one["name"] == "hypot")
        self.assertEqual(hypot["arg_names"], ["x", "y"])
        self.assertEqual(hypot["language"], "Python")

    def test_list_tells_bad_files_and_shows_the_others(self):
        done = program.run("list", self.write_bad_library())
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"sound(x: number) -> number\n", done.stdout)
        self.assertRegex(done.stderr, rb"extfn: warning: .*undeclared.py:1: .*\n")

    def test_a_library_without_function_files_is_told(self):
        self.write("notes.txt", "")
        none = (r"extfn: no function files in \S+; "
                r"their names end in .py, .R, .jl, .pure, .wat or .wasm\n")
        self.check_all([
            (["list", self.directory], 2, "", none),
            (["check", self.directory], 2, "", none),
            (["call", self.directory, "f"], 2, "", none),
        ])
        self.check(["list", self.path("notes.txt")], 1, "",
                   r"extfn: warning: \S*: not a function file; "
                   r"its name must end in .py, .R, .jl, .pure, .wat or .wasm\n")
        empty = self.write("none.json", "[]")
        self.check(["check", empty], 2, "", r"extfn: no functions in \S+none\.json\n")

    def test_help_names_what_there_is(self):
        text = program.run("eval", "--help").stdout.decode()
        self.assertIn("args[[1]]", text)
        self.assertIn("python, r, julia, pure or wasm\n", text)
        text = program.run("rpc", "--help").stdout.decode()
        for wanted in ['"body":"result = args[0] + args[1]"', '"columns":[[3,6],[4,8]]']:
            self.assertIn(wanted, text)

    def test_streams_that_cannot_be_written_are_an_error(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([program.EXTFN, "list", LIB], stdout=full,
                                  stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, b"extfn: write 'stdout': No space left on device\n")
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([program.EXTFN, "list", LIB], stdout=writer,
                              stderr=subprocess.PIPE, check=False)
        os.close(writer)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, b"extfn: write 'stdout': Broken pipe\n")

    def test_closed_streams_are_an_error(self):
        def shell(text):
            return subprocess.run(["sh", "-c", text, "sh", program.EXTFN, LIB],
                                  capture_output=True, check=False)
        done = shell('"$1" list "$2" >&-')
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, b"extfn: write 'stdout': Bad file descriptor\n")
        done = shell('"$1" rpc <&-')
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, b"extfn: read 'stdin': Bad file descriptor\n")
        self.assertEqual(shell('"$1" list "$2" 2>&-').returncode, 0)


if __name__ == "__main__":
    unittest.main()
