"""Loading functions, and taking them to other machines. SPDX-License-Identifier: MIT"""
import base64
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest

import bodies
import extfn

DEMO = os.path.join(os.environ["EXTFN_SOURCE"], "examples", "demo")
# (module (func (export "improv_call") (param f64) (result f64) local.get 0))
MODULE = bytes.fromhex("0061736d0100000001060160017c017c030201000"
                       "70f010b696d70726f765f63616c6c00000a0601040020000b")


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="extfn-test-python-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path


class Loading(Folder):
    def test_a_library_is_a_mapping(self):
        library = extfn.load(DEMO)
        self.assertIn("label", library)
        self.assertEqual(sorted(library), list(library))
        self.assertEqual(len(library), len(dict(library)))
        with self.assertRaisesRegex(extfn.NotFound, "external function not found: nope"):
            _ = library["nope"]
        self.assertIsNone(library.get("nope"))

    def test_parts_come_when_they_are_asked_for(self):
        self.assertRegex(extfn.__version__, r"^\d+\.\d+\.\d+$")
        program = ("import duckdb, extfn; con = duckdb.connect()\n"
                   "print(extfn.duckdb.register(con, extfn.load('examples/demo'), names=['label']),"
                   " extfn.duckdb.register(con, 'examples/demo', names=['label']))")
        done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True,
                              check=False, cwd=os.environ["EXTFN_SOURCE"])
        self.assertEqual((done.stdout, done.stderr), ("['label'] ['label']\n", ""))
        with self.assertRaisesRegex(AttributeError, "no attribute 'duck'"):
            extfn.duck

    def test_what_a_function_tells(self):
        signature = "f(x: number, when: datetime) -> text impure"
        path = self.write("f.py", f"# extfn: {signature}\nresult = 1")
        function = extfn.load(path)["f"]
        self.assertEqual(
            (function.name, function.language, function.arg_names, function.arg_types,
             function.return_type, function.pure, function.vectorized, function.source_path,
             function.signature),
            ("f", "Python", ("x", "when"), ("number", "datetime"), "text", False, False, str(path),
             signature))
        self.assertEqual(repr(function), f"<extfn.Function {function.signature}>")
        self.assertIn("result = 1", function.body)
        with self.assertRaises(AttributeError):
            function.name = "g"

    def test_a_bad_file(self):
        self.write("good.py", "# extfn: good() -> number\nresult = 1")
        bad = self.write("bad.py", "# extfn: bad( -> number\nresult = 1")
        with self.assertRaisesRegex(extfn.InvalidArgument, "bad.py:1: "):
            extfn.load(self.folder)
        seen = []
        library = extfn.load(self.folder, problems=lambda *told: seen.append(told))
        self.assertEqual((list(library), seen[0][0]), (["good"], str(bad)))

        def fail(path, message):
            raise LookupError(message)
        with self.assertRaises(LookupError):
            extfn.load(self.folder, problems=fail)
        with self.assertRaises(extfn.InputOutputError):
            extfn.load(self.folder / "nowhere")

    def test_they_are_made_nowhere_else(self):
        for made in (extfn.Function, extfn.Column):
            with self.assertRaises(TypeError):
                made()


class Travelling(Folder):
    def test_json_reads_back(self):
        library = extfn.load(DEMO)
        copy = extfn.Library.from_json(library.to_json())
        self.assertEqual([f.signature for f in copy.values()],
                         [f.signature for f in library.values()])
        self.assertEqual(copy["label"]("milk jug", 2), "2 x Milk Jug")

    def test_a_module_travels_inside(self):
        self.write("same.wasm", MODULE)
        by_path = self.write("lib.json", json.dumps({
            "name": "named", "language": "Wasm", "body": str(self.folder / "same.wasm"),
            "arg_types": ["Number"], "return_type": "Number", "pure": True}))
        functions = [extfn.load(self.folder / "same.wasm")["same"], extfn.load(by_path)["named"]]
        texts = [pickle.dumps(function) for function in functions]
        for path in self.folder.iterdir():
            path.unlink()
        for text in texts:
            function = pickle.loads(text)
            self.assertEqual(base64.b64decode(function.body.removeprefix("base64:")), MODULE)
            try:
                self.assertEqual(function(7), 7.0)
            except extfn.LanguageUnavailable as error:
                bodies.skip_without("Wasm", error)

    def test_a_pickle_is_read_by_another_process(self):
        library = self.write("library", pickle.dumps(extfn.load(DEMO)))
        program = ("import pickle, sys; library = pickle.load(open(sys.argv[1], 'rb'));"
                   "print(library['label']('milk jug', 2))")
        done = subprocess.run([sys.executable, "-c", program, library], text=True, cwd="/",
                              capture_output=True, check=False)
        self.assertEqual((done.stdout, done.stderr), ("2 x Milk Jug\n", ""))
