"""The wheel and its types. SPDX-License-Identifier: MIT"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

SITE = os.environ["EXTFN_SITE"]
PACKAGE = os.path.join(os.environ["EXTFN_SOURCE"], "bindings", "python")
# Python 3.12 and newer show the buffer protocol by a method.
NOT_IN_ALL = "extfn._extfn.Column.__buffer__\n"
USE = """
import extfn
function = extfn.load("lib")["f"]
column: extfn.Column = function.apply([1], [2])
both: tuple[extfn.Column, extfn.Column] = function.apply([1], [2], errors="column")
with extfn.Host(timeout=2.5, packages={"python": "lib"}) as host:
    host.call(function, 3, timeout=1)
    host.apply(function, [1], on_progress=lambda done, total: print(done + total))
"""


class Wheel(unittest.TestCase):
    def setUp(self):
        self.wheel, = pathlib.Path(os.environ["EXTFN_WHEELS"]).glob("*.whl")

    def test_one_is_for_all_versions_of_python(self):
        self.assertIn("-cp311-abi3-linux_", self.wheel.name)

    def test_it_has_the_library_and_nothing_of_the_build(self):
        names = {name for name in zipfile.ZipFile(self.wheel).namelist() if "dist-info" not in name}
        source = {f"extfn/{path.name}" for path in pathlib.Path(PACKAGE, "extfn").iterdir()
                  if path.is_file()}
        engine = {"extfn/libextfn_wasm_engine.so"}
        self.assertEqual(names - engine, source | {"extfn/_extfn.abi3.so"})
        needed = subprocess.run(["ldd", f"{SITE}/extfn/_extfn.abi3.so"], text=True, check=True,
                                stdout=subprocess.PIPE).stdout
        self.assertNotIn("libextfn", needed)

    def test_it_shows_its_start_alone(self):
        shown = subprocess.run(["nm", "-D", "--defined-only", f"{SITE}/extfn/_extfn.abi3.so"],
                               text=True, check=True, stdout=subprocess.PIPE).stdout
        self.assertEqual([line.split()[-1] for line in shown.splitlines()], ["PyInit__extfn"])

    def test_the_engine_of_webassembly_is_the_wheels(self):
        program = ("import bodies\nbodies.identity('Wasm', 'Number')(1)\n"
                   "print(*(line.split()[-1] for line in open('/proc/self/maps')"
                   " if 'wasm_engine' in line))")
        done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True,
                              check=False)
        if "LanguageUnavailable" in done.stderr:
            self.skipTest("needs WebAssembly")
        self.assertEqual(set(done.stdout.split()), {f"{SITE}/extfn/libextfn_wasm_engine.so"},
                         done.stderr)


class Types(unittest.TestCase):
    def run_there(self, *command, **environment):
        with tempfile.TemporaryDirectory(prefix="extfn-test-python-") as folder:
            pathlib.Path(folder, "use.py").write_text(USE, encoding="utf-8")
            pathlib.Path(folder, "allowed").write_text(NOT_IN_ALL, encoding="utf-8")
            done = subprocess.run([sys.executable, "-m", *command], cwd=folder, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                  env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_package_is_strict(self):
        self.run_there("mypy", "--config-file", f"{PACKAGE}/pyproject.toml", f"{PACKAGE}/extfn")

    def test_so_is_who_uses_it(self):
        self.run_there("mypy", "--strict", "use.py", MYPYPATH=SITE)

    def test_the_stubs_are_the_modules(self):
        self.run_there("mypy.stubtest", "--allowlist", "allowed", "extfn._extfn", MYPYPATH=SITE)
