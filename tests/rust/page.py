"""page.py BUILD: docs/rust.md as a reader follows it, with the library of a build and with
an installed one. SPDX-License-Identifier: MIT
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import cargo
import pages

BUILD = sys.argv.pop(1)
OFFLINE = {"CARGO_NET_OFFLINE": "true"}


class Page(pages.PageTest):
    def setUp(self):
        self.folder = pathlib.Path(BUILD, "rust-page", self.id().rpartition(".")[2])
        shutil.rmtree(self.folder, ignore_errors=True)

    def test_with_the_library_of_a_build(self):
        self.follow("rust", self.folder / "page", cargo.environment(BUILD, **OFFLINE))

    def test_with_an_installed_library(self):
        place = self.folder / "installed"
        target = f"{BUILD}/rust-installed"
        environment = {**pages.installed(BUILD, place), **OFFLINE, "CARGO_TARGET_DIR": target}
        self.follow("rust", self.folder / "page", environment)
        needed = subprocess.run(["ldd", f"{target}/debug/pricing"], text=True, check=True,
                                capture_output=True, env=os.environ | environment).stdout
        self.assertRegex(needed, rf"libextfn\.so\.\d+ => {re.escape(os.path.realpath(place))}")


if __name__ == "__main__":
    cargo.require(skipped=77)
    unittest.main()
