"""new and test: examples that stand in function files. SPDX-License-Identifier: MIT"""
import json
import os
import re
import shutil
import stat

import program
from program import LIB

EXTENSIONS = {"python": ".py", "r": ".R", "julia": ".jl", "pure": ".pure", "wasm": ".wat"}
HYPOT = """# extfn: hypot(x: number, y: number) -> number
# extfn-example: hypot(3, 4) = 5
# extfn-example: hypot(1, 1) = 1.4
# extfn-example: hypot(-1, 1) = error: math domain
result = (x * x + y * y) ** 0.5
"""


class New(program.ProgramTest):
    def test_a_first_function_passes_its_own_examples(self):
        needs = {"julia": "julia", "r": "Rscript", "pure": "pure", "python": "python3"}
        for language, extension in EXTENSIONS.items():
            path = self.path(f"first_{language}{extension}")
            self.check(["new", language, f"first_{language}", self.directory], stdout=path + "\n")
            with open(path, encoding="utf-8") as text:
                self.assertNotIn("NAME", text.read())
            if shutil.which(needs.get(language, "sh")):
                with self.subTest(language=language):
                    done = program.run("test", path)
                    if done.returncode == 3 and language == "wasm":
                        continue  # built without its engine
                    self.assertEqual(done.returncode, 0, done)
                    self.assertEqual(done.stdout.count(b": ok "), 2)

    def test_the_folder_is_the_current_one_unless_named(self):
        self.check(["new", "Python", "f"], stdout="f.py\n", cwd=self.directory)
        self.assertTrue(self.read("f.py").startswith("# extfn: f(price: number, "))
        self.check(["new", "Python", "f", "lib"], stdout="lib/f.py\n", cwd=self.directory)
        self.check(["new", "r", "f", "./", "--json"], stdout='{"file":"./f.R"}\n',
                   cwd=self.directory)

    def test_a_file_that_is_there_is_never_overwritten(self):
        path = self.write("f.py", "mine")
        os.symlink("nowhere", self.path("link.py"))
        for name in "f", "link":
            self.check(["new", "python", name, self.directory], 2, "",
                       r"extfn: '\S+' is there already; take another name or move it\n")
        self.assertEqual(self.read("f.py"), "mine")
        self.assertEqual(sorted(os.listdir(self.directory)), ["f.py", "link.py"])
        self.assertTrue(stat.S_ISREG(os.stat(path).st_mode))


class Examples(program.ProgramTest):
    def test_each_example_is_told(self):
        path = self.write("hypot.py", HYPOT)
        self.check(["test", path], 1, stderr=r"extfn: 2 of 3 examples failed; see above\n", stdout=(
            f"{path}:2: ok hypot(3, 4) = 5\n"
            f"{path}:3: hypot(1, 1) = 1.4: got 1.4142135623730951\n"
            f"{path}:4: hypot(-1, 1) = error: math domain: got 1.4142135623730951\n"))

    def test_each_example_is_an_object(self):
        path = self.write("hypot.py", HYPOT)
        done = program.run("test", path, "--json")
        told = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([one["passed"] for one in told], [True, False, False])
        self.assertEqual([one["line"] for one in told], [2, 3, 4])
        self.assertEqual(told[0]["result"], {"ok": 5.0})
        self.assertEqual(told[1]["example"], "hypot(1, 1) = 1.4")

    def test_errors_hold_where_the_message_contains_the_text(self):
        self.write("f.py", "# extfn: f(x: number) -> text\n"
                   "# extfn-example: f(0) = error: division\n"
                   "# extfn-example: f(0) = error: overflow\n"
                   "# extfn-example: f(1) = \"1\"\n"
                   "result = str(int(1 / x))\n")
        path = self.path("f.py")
        self.check(["test", self.directory], 1, stderr=r"extfn: 1 of 3 .*\n", stdout=(
            f"{path}:2: ok f(0) = error: division\n"
            f"{path}:3: f(0) = error: overflow: got error: "
            "ZeroDivisionError: float division by zero (line 5)\n"
            f"{path}:4: ok f(1) = \"1\"\n"))

    def test_examples_that_cannot_be_read_fail(self):
        path = self.write("f.R", "# extfn: f(x: text) -> text\n# extfn-example: g(1) = 2\n"
                          "# extfn-example: f(a) = \"a\"\nresult <- x\n")
        self.check(["test", path], 1, stderr=r"extfn: 2 of 2 .*\n", stdout=(
            f"{path}:2: g(1) = 2: the function is named 'f', the example calls 'g'\n"
            f"{path}:3: f(a) = \"a\": a is no Text; a text is written in quotes\n"))
        done = program.run("test", path, "--json")
        self.assertIn("in quotes", json.loads(done.stdout.splitlines()[1])["problem"])

    def test_functions_without_examples_and_bad_files_are_told(self):
        bad = self.write_bad_library()
        self.write("bad/tested.py", "# extfn: tested() -> boolean\n"
                   "# extfn-example: tested() = true\nresult = True\n")
        done = program.run("test", bad)
        text = done.stdout.decode()
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{bad}/sound.py: no examples of sound(x: number) -> number\n", text)
        self.assertIn(f"{bad}/undeclared.py:1: no declaration; ", text)
        self.assertIn(f"{bad}/tested.py:2: ok tested() = true\n", text)
        self.check(["test", bad, "tested"], stdout=f"{bad}/tested.py:2: ok tested() = true\n")
        self.check(["test", bad, "tessted"], 2, stderr=r"extfn: .* did you mean 'tested'\?\n")
        done = program.run("test", bad, "sound", "--json")
        self.assertEqual(json.loads(done.stdout)["examples"], 0)

    def test_no_examples_are_no_success(self):
        path = os.path.join(LIB, "hypot.py")
        self.check(["test", path], 2, f"{path}: no examples of hypot(x: number, y: number) "
                   "-> number\n", rf"extfn: no examples in {path}; 'extfn test --help' .*\n")

    def test_bodies_of_descriptors_have_examples(self):
        path = self.write("lib.json", json.dumps(
            {"name": "add", "language": "Python", "arg_types": ["Number", "Enum"],
             "return_type": "Number", "pure": True,
             "body": "# extfn-example: add(2, 3) = 5\nresult = args[0] + args[1]"}))
        self.check(["test", path], stdout=f"{path}:1: ok add(2, 3) = 5\n")

    def test_a_missing_language_is_no_error_of_the_function(self):
        self.write("f.jl", "# extfn: f() -> number\n# extfn-example: f() = error: unavailable\n"
                   "result = 1\n")
        self.write("g.py", "# extfn: g() -> number\n# extfn-example: g() = 1\nresult = 1\n")
        test = ["test", self.directory, "--interpreter", "julia=/none"]
        self.assertEqual(program.run(*test).returncode, 3)
        self.write("g.py", "# extfn: g() -> number\n# extfn-example: g() = 2\nresult = 1\n")
        self.assertEqual(program.run(*test).returncode, 1)
        self.assertEqual(program.run("test", self.path("g.py"), env={"PATH": "/"}).returncode, 4)

    def test_the_examples_of_the_demo_hold(self):
        done = program.run("test", os.path.join(program.HERE, "..", "..", "examples", "demo"))
        bad = [line for line in done.stdout.decode().splitlines()
               if not re.search(": ok |: no examples of |: language runtime unavailable: ", line)]
        self.assertEqual(bad, [])
        self.assertGreaterEqual(done.stdout.count(b": ok "), 3)

    def test_what_bodies_print_is_on_stderr_and_in_the_object(self):
        path = self.write("f.py", "# extfn: f() -> number\n# extfn-example: f() = 1\n"
                          "print('hi')\nresult = 1\n")
        self.check(["test", path], stdout=f"{path}:2: ok f() = 1\n", stderr="hi\n")
        done = program.run("test", path, "--json")
        self.assertEqual((json.loads(done.stdout)["result"]["stdout"], done.stderr), ("hi\n", b""))


if __name__ == "__main__":
    program.main()
