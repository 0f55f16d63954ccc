"""test_pages.py BUILD NAME: docs/NAME.md, with the installed program and library.

SPDX-License-Identifier: MIT
"""
import os
import pathlib
import shutil
import subprocess
import sys

import pages

BUILD, NAME = sys.argv.pop(1), sys.argv.pop(1)


class Page(pages.PageTest):
    def test_what_it_shows_happens(self):
        folder = pathlib.Path(BUILD, "docs", NAME)
        shutil.rmtree(folder, ignore_errors=True)
        self.follow(NAME, folder / "page", pages.installed(BUILD, folder / "installed"))


def require(build):
    """Ends with status 77, skipped, where Python functions cannot run; unless they have to."""
    probe = subprocess.run([f"{build}/extfn", "eval", "-l", "python", "result = 1"],
                           capture_output=True, check=False, text=True)
    missing = {3: "python", 4: "bwrap"}.get(probe.returncode)
    if missing:
        print(probe.stderr)
        sys.exit(1 if missing in os.environ.get("EXTFN_TEST_REQUIRE", "").split(",") else 77)


if __name__ == "__main__":
    require(BUILD)
    pages.unittest.main()
