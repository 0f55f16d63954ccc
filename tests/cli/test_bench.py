"""bench: every language is measured or told. No test looks at how fast anything is.

SPDX-License-Identifier: MIT
"""
import json

import program

NONE = {"EXTFN_INTERPRETER_PURE": "/no/pure"}
FIGURES = {"calls_per_second", "rows_per_second", "fresh_calls_per_second", "column_rows"}


class Bench(program.ProgramTest):
    def test_each_language_has_its_figures(self):
        done = program.run("bench", "--json")
        told = json.loads(done.stdout)
        self.assertEqual((done.returncode, done.stderr), (0, b""), told)
        self.assertEqual(list(told), ["Python", "R", "Julia", "Pure", "Wasm"])
        for language, found in told.items():
            with self.subTest(language):
                if "error" in found:
                    self.assertEqual(found["error"]["kind"], "LanguageUnavailable")
                else:
                    self.assertEqual(set(found), FIGURES)
                    self.assertGreater(min(found.values()), 0)
                    self.assertGreaterEqual(found["column_rows"], 1000)
        self.assertIn("calls_per_second", told["Python"])

    def test_the_text_has_a_line_a_language(self):
        done = program.run("bench", "pure", "python", env=NONE)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.decode().splitlines()
        self.assertEqual([line.split()[0] for line in lines], ["language", "Python", "Pure"])
        self.assertRegex(lines[1], r"^Python( +\d+(\.\d+)?(e\+\d+)?( million)?){5}$")
        self.assertRegex(lines[2],
                         r"^Pure +language runtime unavailable: Pure \(pure\): '/no/pure' is .*$")

    def test_without_any_language_the_status_is_3(self):
        self.check(["bench", "pure"], status=3, env=NONE, stderr=r"extfn: language runtime "
                   r"unavailable: Pure .*\n", stdout=program.run("bench", "pure",
                                                                 env=NONE).stdout.decode())

    def test_without_a_sandbox_the_status_is_4(self):
        done = program.run("bench", "python", "--json", env={"PATH": self.directory})
        self.assertEqual(done.returncode, 4)
        self.assertEqual(json.loads(done.stdout)["Python"]["error"]["kind"], "Sandbox")

    def test_an_unknown_language_is_a_usage_error(self):
        self.check(["bench", "cobol"], status=2, stderr=r"extfn: unknown language 'cobol'; .*\n")


if __name__ == "__main__":
    program.main()
