#!/usr/bin/env python3
"""test_packages.py FOLDER: the packages that ./dev deb made, unpacked and used.

Ends with `N passed, N failed, N skipped`. What needs an installed file of the system's folders (the
engine of WebAssembly) is looked for and not run. SPDX-License-Identifier: MIT
"""
import glob
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(sys.argv.pop(1)).resolve()
PACKAGES = ["extfn", "extfn-sqlite", "libextfn-dev", "libextfn0"]


def output(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE,
                          **options).stdout


def version():
    text = (ROOT / "meson.build").read_text(encoding="utf-8")
    return re.search(r"version: '([\d.]+)'", text)[1]


def package(name):
    path, = glob.glob(f"{FOLDER}/{name}_{version()}_*.deb")
    return path


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        home = tempfile.TemporaryDirectory(prefix="extfn-test-deb-")
        cls.addClassCleanup(home.cleanup)
        cls.home = home.name
        cls.root = f"{cls.home}/root"
        for name in PACKAGES:
            output("dpkg-deb", "-x", package(name), cls.root)
        library, = glob.glob(f"{cls.root}/usr/lib/*/libextfn.so.0")
        cls.libraries = os.path.dirname(library)
        cls.environment = {**os.environ, "LD_LIBRARY_PATH": cls.libraries,
                           "PATH": f"{cls.root}/usr/bin:{os.environ['PATH']}"}

    def field(self, name, field):
        return output("dpkg-deb", "-f", package(name), field)

    def test_there_is_one_file_for_each_package_of_this_version(self):
        names = [os.path.basename(path).split("_")[:2] for path in glob.glob(f"{FOLDER}/*.deb")]
        self.assertEqual([[name, version()] for name in PACKAGES], sorted(names))

    def test_the_program_needs_no_other_package_of_ours(self):
        depends = self.field("extfn", "Depends")
        self.assertIn("bubblewrap", depends)
        self.assertNotIn("libextfn", depends)
        self.assertIn("python3", self.field("extfn", "Recommends"))
        self.assertEqual({"julia", "r-base-core"},
                         set(re.findall(r"[\w-]+", self.field("extfn", "Suggests"))))

    def test_program_and_manual_are_of_this_version(self):
        told = output("extfn", "--version", env=self.environment)
        self.assertEqual(f"extfn {version()}\n", told)
        page = output("zcat", f"{self.root}/usr/share/man/man1/extfn.1.gz")
        self.assertIn(f'"extfn {version()}"', page)

    def test_each_file_that_an_installation_has_is_in_a_package(self):
        for pattern in ("bin/extfn", "include/extfn/extfn.h", "lib/*/libextfn.a",
                        "lib/*/libextfn.so", "lib/*/extfn_sqlite.so", "lib/*/pkgconfig/extfn.pc",
                        "share/man/man3/extfn.3.gz", "share/man/man5/extfn-functions.5.gz",
                        "share/bash-completion/completions/extfn",
                        "share/fish/vendor_completions.d/extfn.fish",
                        "share/zsh/vendor-completions/_extfn"):
            self.assertEqual(1, len(glob.glob(f"{self.root}/usr/{pattern}")), pattern)
        for name in PACKAGES:
            self.assertTrue(os.path.exists(f"{self.root}/usr/share/doc/{name}/copyright"), name)

    def test_the_engine_of_webassembly_is_in_it_where_it_was_built(self):
        built = output(f"{ROOT}/setup/wasm/build", "where").strip()
        is_there = os.path.isdir(f"{built}/lib")
        self.assertEqual(is_there, os.path.exists(
            f"{self.libraries}/extfn/libextfn_wasm_engine.so"))
        self.assertEqual(is_there, os.path.exists(
            f"{self.root}/usr/share/doc/extfn/wasm-engine-licenses.gz"))

    def test_nothing_names_the_folder_of_the_build(self):
        # But for the engine of WebAssembly: it is built once, by cargo, for the builder alone.
        for folder in str(ROOT), os.path.expanduser("~/.cache/extfn"):
            found = subprocess.run(["grep", "-rlaF", "--exclude=libextfn_wasm_engine.so", folder,
                                    self.root], text=True, check=False, stdout=subprocess.PIPE)
            self.assertEqual("", found.stdout, folder)

    def test_a_function_is_called(self):
        told = output("extfn", "call", "examples/demo", "unit_price", "80.87", "3", cwd=ROOT,
                      env=self.environment)
        self.assertEqual("26.96\n", told)

    def test_a_program_in_c_is_built_and_runs(self):
        environment = {**self.environment, "PKG_CONFIG_SYSROOT_DIR": self.root,
                       "PKG_CONFIG_PATH": f"{self.libraries}/pkgconfig"}
        flags = output("pkg-config", "--cflags", "--libs", "extfn", env=environment).split()
        output("cc", f"{ROOT}/examples/embed.c", *flags, "-o", f"{self.home}/embed")
        told = output(f"{self.home}/embed", "examples/demo", "unit_price", "80.87", "3", cwd=ROOT,
                      env=environment)
        self.assertEqual("26.96\n", told)

    def test_sqlite_finds_its_extension_by_name(self):
        words = [".load extfn_sqlite", "SELECT extfn_load('examples/demo') > 0;",
                 "SELECT unit_price(80.87, 3);"]
        told = output("sqlite3", "-batch", *(word for text in words for word in ("-cmd", text)),
                      ":memory:", "", cwd=ROOT, env=self.environment)
        self.assertEqual("1\n26.96\n", told)


if __name__ == "__main__":
    done = unittest.main(exit=False).result
    failed = len(done.failures) + len(done.errors)
    print(f"{done.testsRun - failed - len(done.skipped)} passed, {failed} failed, "
          f"{len(done.skipped)} skipped")
    sys.exit(failed > 0)
