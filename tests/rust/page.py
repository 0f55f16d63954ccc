"""page.py SOURCE BUILD: docs/rust.md as a reader follows it, with the library of a build and with
an installed one: its files are written, its program is run, its output compared.

A block's info string says what it is: a language and a file's name, or `text output`.
SPDX-License-Identifier: MIT
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import cargo

BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SOURCE, BUILD = sys.argv.pop(1), sys.argv.pop(1)


class Page(unittest.TestCase):
    def setUp(self):
        page = pathlib.Path(SOURCE, "docs/rust.md").read_text(encoding="utf-8")
        self.files = dict(BLOCK.findall(page))
        self.output = self.files.pop("output")
        self.folder = pathlib.Path(BUILD, "rust-page", self.id().rpartition(".")[2])
        shutil.rmtree(self.folder, ignore_errors=True)
        for name, text in self.files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (self.folder / "extfn").symlink_to(SOURCE)

    def follow(self, environment):
        done = subprocess.run(["cargo", "run", "--offline", "--quiet"], cwd=self.folder, text=True,
                              env=environment, capture_output=True, check=False)
        self.assertEqual((0, self.output), (done.returncode, done.stdout), done.stderr)

    def test_it_has_what_a_program_needs(self):
        self.assertLessEqual({"Cargo.toml", "src/main.rs"}, set(self.files))

    def test_with_the_library_of_a_build(self):
        self.follow(cargo.environment(BUILD))

    def test_with_an_installed_library(self):
        place = str(self.folder / "installed")
        subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet",
                        "--destdir", place], check=True)
        config, = pathlib.Path(place).rglob("extfn.pc")
        environment = cargo.environment(
            BUILD, PKG_CONFIG_PATH=str(config.parent), PKG_CONFIG_SYSROOT_DIR=place,
            LD_LIBRARY_PATH=str(config.parent.parent), CARGO_TARGET_DIR=f"{BUILD}/rust-installed")
        del environment["EXTFN_BUILD_DIR"]
        self.follow(environment)
        program, = pathlib.Path(BUILD, "rust-installed/debug").glob("pricing")
        needed = subprocess.run(["ldd", program], text=True, capture_output=True, check=True,
                                env=environment).stdout
        self.assertRegex(needed, rf"libextfn\.so\.\d+ => {re.escape(os.path.realpath(place))}")


if __name__ == "__main__":
    cargo.require(skipped=77)
    unittest.main()
