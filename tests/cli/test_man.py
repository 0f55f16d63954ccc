"""The manual pages against the program. SPDX-License-Identifier: MIT"""
import glob
import os
import re
import shutil
import subprocess
import unittest

import program

TOP = os.path.normpath(os.path.join(program.HERE, "..", ".."))
PAGES = sorted(glob.glob(os.path.join(TOP, "man", "*.[135]")))
HELP_OPTION = re.compile(r"^  ((?:-\w, )?--[a-z-]+(?: \S+)?)  +\S", re.MULTILINE)
REQUIRED = os.environ.get("EXTFN_TEST_REQUIRE", "").split(",")


def page(name):
    with open(os.path.join(TOP, "man", name), encoding="utf-8") as text:
        return text.read()


def section(text, title):
    found = re.search(rf"^\.SH {title}\n(.*?)(?=^\.SH |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def plain(line):
    """The words of a line without fonts: `.BR -l ", " --language` is `-l, --language`."""
    macro = re.match(r"\.([BI]|BR|RB|BI|IB|IR|RI) (.*)", line)
    text = macro[2] if macro else line
    if macro:
        words = [quoted or bare for quoted, bare in re.findall(r'"([^"]*)"|(\S+)', text)]
        text = (" " if len(macro[1]) == 1 else "").join(words)
    return re.sub(r"\\f[BIR]", "", text).replace("\\-", "-").replace("\\e", "\\")


def heads(text):
    """What each paragraph of a list is about."""
    return [plain(line) for line in re.findall(r"^\.TP\n(.*)$", text, re.MULTILINE)]


def joined(text):
    return " ".join(plain(line) for line in text.splitlines() if not re.fullmatch(r"\.\w+", line))


def ask(*words):
    return program.run(*words, "--help").stdout.decode()


COMMANDS = dict(re.findall(r"^  ([a-z-]+)  +(\S.*)$", ask(), re.MULTILINE))


class Manual(program.ProgramTest):
    def for_each_command(self, check):
        """Calls it with the name, the page and the help."""
        for name in COMMANDS:
            with self.subTest(command=name):
                check(name, page(f"extfn-{name}.1"), ask(name))

    def test_every_command_has_its_page_and_no_page_is_left_over(self):
        pages = {os.path.basename(path) for path in PAGES}
        self.assertEqual(pages, {"extfn.1", "extfn.3", "extfn-functions.5",
                                 *(f"extfn-{name}.1" for name in COMMANDS)})
        with open(os.path.join(TOP, "man", "meson.build"), encoding="utf-8") as text:
            installed = text.read()
        for name in COMMANDS:
            self.assertIn(f"'{name}'", installed)

    def test_names_and_summaries_are_those_of_the_help(self):
        self.for_each_command(lambda name, text, _: self.assertEqual(
            plain(section(text, "NAME").strip()), f"extfn-{name} - {COMMANDS[name]}"))

    def test_synopses_are_the_usage_lines(self):
        self.for_each_command(lambda _, text, told: self.assertEqual(
            joined(section(text, "SYNOPSIS")), told.splitlines()[0][len("usage: "):]))

    def test_options_are_those_of_the_help(self):
        self.for_each_command(lambda _, text, told: self.assertEqual(
            heads(section(text, "OPTIONS")), HELP_OPTION.findall(told)))

    def test_exit_statuses_of_the_help_are_told(self):
        def check(_, text, told):
            sentence = re.search(r"Exit status .*?\n\n", told, re.DOTALL)
            statuses = re.findall(r"\b[1-5]\b", sentence[0]) if sentence else []
            self.assertLessEqual({"0", "2", *statuses}, set(heads(section(text, "EXIT STATUS"))))
        self.for_each_command(check)

    def test_the_first_page_names_commands_statuses_and_variables(self):
        text, told = page("extfn.1"), ask()
        commands = re.findall(r"^\.TP\n\.BR extfn\\-(\S+) \(1\)\n(.*)\.$", text, re.MULTILINE)
        self.assertEqual([(name, summary.lower()) for name, summary in commands],
                         [(name, summary.lower()) for name, summary in COMMANDS.items()])
        self.assertEqual(heads(section(text, "EXIT STATUS")),
                         [*"012345", "128 and more"])
        for variable in re.findall(r"\b[A-Z]+_[A-Z_]+\b", told):
            self.assertIn(variable, section(text, "ENVIRONMENT"))

    def test_pages_that_are_named_are_there(self):
        for path in PAGES:
            for name, number in re.findall(r"^\.BR (extfn\S*) \((\d)\)", page(path), re.MULTILINE):
                self.assertTrue(os.path.exists(f"{TOP}/man/{plain(name)}.{number}"), (path, name))

    def test_pages_have_the_version_of_the_program(self):
        version = program.run("--version").stdout.decode().strip()
        for path in PAGES:
            title, number = os.path.basename(path).rsplit(".", 1)
            wanted = rf'^\.TH {title.upper()} {number} \d{{4}}-\d\d-\d\d "{version}" "extfn"$'
            self.assertRegex(page(path).replace("\\-", "-"), re.compile(wanted, re.MULTILINE))


class Library(program.ProgramTest):
    def test_all_functions_and_headers_are_named(self):
        text = page("extfn.3")
        with open(os.path.join(TOP, "tests", "abi", "symbols.txt"), encoding="utf-8") as lines:
            self.assertEqual(sorted(re.findall(r"^\.BR (extfn_\w+) \(\)", text, re.MULTILINE)),
                             sorted(lines.read().split()))
        headers = os.listdir(os.path.join(TOP, "include", "extfn"))
        self.assertEqual(set(re.findall(r"^\.B <extfn/(\w+\.h)>", text, re.MULTILINE)),
                         set(headers) - {"common.h", "error.h"})

    def test_all_statuses_are_named(self):
        with open(os.path.join(TOP, "include", "extfn", "status.h"), encoding="utf-8") as text:
            statuses = re.findall(r"X\((\w+), -?\d+, \"(\w+)\"", text.read())
        told = section(page("extfn.3"), "STATUS")
        self.assertEqual(heads(told), [f"EXTFN_{name}" for name, _ in statuses])
        for _, kind in statuses[1:]:
            self.assertIn(f".BR {kind} .", told)

    @unittest.skipUnless(shutil.which("cc"), "needs cc")
    def test_the_example_compiles(self):
        example = plain(re.findall(r"^\.EX\n(.*?)^\.EE", page("extfn.3"), re.M | re.S)[1])
        path = self.write("example.c", "#include <extfn/extfn.h>\n#include <stdio.h>\n"
                          "int main(void) {\n" + example + "return 0; }\n")
        subprocess.run(["cc", "-fsyntax-only", "-Wall", "-Werror", f"-I{TOP}/include", path],
                       check=True)


class Format(program.ProgramTest):
    def test_languages_and_types_are_named(self):
        text = page("extfn-functions.5")
        told = program.run("list", self.directory).stderr.decode()
        extensions = re.findall(r"\.[A-Za-z]+\b", told.partition("names end in")[2])
        self.assertEqual(len(extensions), 6)
        for extension in extensions:
            self.assertIn(extension, " ".join(heads(section(text, "LANGUAGES"))))
        told = program.run("eval", "-l", "r", "-t", "x", "1").stderr.decode()
        types = re.findall(r"\w+", told.partition("there are")[2].replace(" and ", " "))
        self.assertEqual(heads(section(text, "TYPES")), types)

    def test_the_first_example_holds(self):
        example = plain(re.findall(r"^\.EX\n(.*?)^\.EE", page("extfn-functions.5"), re.M | re.S)[0])
        path = self.write("hypot.py", example)
        done = program.run("test", path)
        if done.returncode == 4 and "bwrap" not in REQUIRED:
            self.skipTest("needs a sandbox")
        self.assertEqual(done.stdout.decode(), f"{path}:2: ok hypot(3, 4) = 5\n")

    def test_descriptors_are_as_told(self):
        example = re.findall(r"^\.EX\n(.*?)^\.EE", page("extfn-functions.5"), re.M | re.S)[-1]
        self.check(["list", self.write("add.json", example)],
                   stdout="Python  add(x: number, y: number) -> number\n")


class Layout(unittest.TestCase):
    def need(self, name, is_required):
        if not shutil.which(name):
            self.assertFalse(is_required, f"needs {name}")
            self.skipTest(f"needs {name}")

    def test_mandoc_has_nothing_to_say(self):
        self.need("mandoc", "mandoc" in REQUIRED)
        done = subprocess.run(["mandoc", "-Tlint", "-Wstyle", *PAGES], capture_output=True,
                              check=False, encoding="utf-8")
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_groff_warns_of_nothing(self):
        self.need("groff", False)
        for path in PAGES:
            done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z", path],
                                  capture_output=True, check=True)
            self.assertEqual(done.stderr, b"", path)


if __name__ == "__main__":
    program.main(needs_sandbox=False)
