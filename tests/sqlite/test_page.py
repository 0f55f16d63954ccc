"""What docs/sqlite.md shows happens. SPDX-License-Identifier: MIT"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

import loading

ROOT = os.environ["EXTFN_SOURCE"]
PROMPTS = "sqlite> ", "   ...> "
STEM = "build/bindings/sqlite/extfn_sqlite"


def examples():
    """The indented blocks of the page, without their indentation; of this build."""
    with open(os.path.join(ROOT, "docs", "sqlite.md"), encoding="utf-8") as page:
        text = page.read().replace(STEM, loading.EXTENSION)
    blocks = re.findall(r"(?:^    .*\n)+", text, re.MULTILINE)
    return [re.sub("^    ", "", block, flags=re.MULTILINE) for block in blocks]


class Page(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        home = tempfile.TemporaryDirectory(prefix="extfn-test-sqlite-")
        self.addCleanup(home.cleanup)
        self.home = home.name
        self.shell, self.python, self.printed = examples()

    def run_there(self, command, given=""):
        """All that a person sees; HOME has no settings in it, and lines are not broken."""
        return subprocess.run(command, input=given, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, cwd=ROOT, timeout=120,
                              check=False, env={**os.environ, "HOME": self.home, "TERM": "dumb",
                                                "COLUMNS": "1000"}).stdout

    def test_the_shell_answers_as_shown(self):
        typed = [line[len(PROMPTS[0]):] for line in self.shell.splitlines()
                 if line.startswith(PROMPTS)]
        seen = self.run_there([loading.SHELL, "-interactive"], "\n".join(typed) + "\n")
        seen = seen[seen.index(PROMPTS[0]):]
        self.assertEqual(seen.removesuffix("\n").removesuffix(PROMPTS[0]), self.shell)

    def test_python_prints_what_is_shown(self):
        program = self.python.replace("shop.db", os.path.join(self.home, "shop.db"))
        self.assertEqual(self.run_there([sys.executable, "-c", program]), self.printed)


if __name__ == "__main__":
    loading.main()
