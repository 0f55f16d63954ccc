"""What docs/python.md shows happens. SPDX-License-Identifier: MIT"""
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = os.environ["EXTFN_SOURCE"]
BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Page(unittest.TestCase):
    maxDiff = None

    def test_its_program_prints_what_is_shown(self):
        page = pathlib.Path(ROOT, "docs", "python.md").read_text(encoding="utf-8")
        blocks = dict(BLOCK.findall(page))
        done = subprocess.run([sys.executable, "-c", blocks["prices.py"]], cwd=ROOT, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.stdout, blocks["output"])
