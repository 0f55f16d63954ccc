"""Libraries of .wat and .wasm files. SPDX-License-Identifier: MIT"""
import base64
import json
import os
import subprocess
import sys

import program

HYPOT = ("AGFzbQEAAAABBwFgAnx8AXwDAgEABw8BC2ltcHJvdl9jYWxsAAAKEAEOACAAIACiIAEgAaKgnws=")
TWICE = ("AGFzbQEAAAABBgFgAXwBfAMCAQAHDwELaW1wcm92X2NhbGwAAAoQAQ4AIABEAAAAAAAAAECiCw==")
THRICE = ("AGFzbQEAAAABBgFgAXwBfAMCAQAHDwELaW1wcm92X2NhbGwAAAoQAQ4AIABEAAAAAAAACECiCw==")
# (i64, i64) -> i32, without and with the section that declares it
LATER = "AGFzbQEAAAABBwFgAn5+AX8DAgEABw8BC2ltcHJvdl9jYWxsAAAKCQEHACABIABVCw=="
IS_LATE = ("AGFzbQEAAAABBwFgAn5+AX8DAgEABw8BC2ltcHJvdl9jYWxsAAAKCQEHACABIABVCwA4BWV4dGZuaXNfbGF0ZS"
           "hkdWU6IGRhdGV0aW1lLCBkb25lOiBkYXRldGltZSkgLT4gYm9vbGVhbgo=")
HALF = """;; extfn: half(x: number) -> number
(module (func (export "improv_call") (param f64) (result f64)
  (f64.div (local.get 0) (f64.const 2))))
"""
INVERSE = """;; extfn: inverse(x: number) -> number
(module (func (export "improv_call") (param f64) (result f64)
  (if (f64.eq (local.get 0) (f64.const 0)) (then unreachable))
  (f64.div (f64.const 1) (local.get 0))))
"""


class Wasm(program.ProgramTest):
    def write_module(self, name, text):
        return self.write(name, base64.b64decode(text))

    def write_library(self):
        os.mkdir(self.path("lib"))
        self.write_module("lib/hypot.wasm", HYPOT)
        self.write_module("lib/late.wasm", IS_LATE)
        self.write("lib/half.wat", HALF)
        self.write("lib/inverse.wat", INVERSE)
        return self.path("lib")

    def test_files_are_functions(self):
        lib = self.write_library()
        self.check_all([
            (["list", lib], 0,
             "Wasm    half(x: number) -> number\nWasm    hypot(number, number) -> number\n"
             "Wasm    inverse(x: number) -> number\n"
             "Wasm    is_late(due: datetime, done: datetime) -> boolean\n", ""),
            (["call", lib, "half", "3"], 0, "1.5\n", ""),
            (["call", lib, "hypot", "3", "4"], 0, "5.0\n", ""),
            (["call", lib, "is_late", "2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"], 0,
             "true\n", ""),
            (["call", os.path.join(lib, "hypot.wasm"), "hypot", "3", "4"], 0, "5.0\n", ""),
            (["call", lib, "inverse", "0"], 1, "",
             r"extfn: \S*inverse\.wat: unreachable code reached.*\n"),
        ])
        done = program.run("check", lib)
        self.assertEqual((done.returncode, done.stderr), (0, b""), done.stdout)

    def test_descriptors_hold_the_module(self):
        lib = self.write_library()
        listed = json.loads(program.run("list", lib, "--json").stdout)
        self.assertEqual(listed[1]["body"], "base64:" + HYPOT)
        self.assertTrue(listed[0]["body"].startswith("wat:;; extfn: half"))
        path = self.write("lib.json", json.dumps(listed))
        self.check(["call", path, "hypot", "3", "4"], stdout="5.0\n")

    def test_tables(self):
        lib = self.write_library()
        table = self.write("t.csv", "due,done,x\n"
                           "2024-01-01T00:00:00Z,2024-01-01T00:00:01Z,4\n"
                           "2024-01-01T00:00:00Z,2023-01-01T00:00:01Z,0\n")
        self.check(["apply", lib, "is_late", table],
                   stdout="due,done,x,is_late,is_late_error\n"
                   "2024-01-01T00:00:00Z,2024-01-01T00:00:01Z,4,true,\n"
                   "2024-01-01T00:00:00Z,2023-01-01T00:00:01Z,0,false,\n")
        done = program.run("apply", lib, "inverse", table)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout.decode(), r',4,0\.25,\n.*,0,,"?unreachable code reached')
        self.check(["apply", lib, "hypot", table], 2, "",
                   r"extfn: function hypot: argument 0 has no name; .*\n")

    def test_bad_files_are_told(self):
        os.mkdir(self.path("bad"))
        self.write_module("bad/later.wasm", LATER)
        self.write("bad/none.wasm", "(module)")
        self.write("bad/large.wasm", base64.b64decode(HYPOT) + bytes(4 << 20))
        self.write("bad/text.wat", ";; extfn: text() -> number\n(module\n(func f64.cosnt))\n")
        self.write("bad/good.wat", HALF)
        done = program.run("list", self.path("bad"))
        self.assertEqual(done.returncode, 1)
        told = done.stderr.decode()
        self.assertRegex(told, r"later\.wasm: 'improv_call' is \(i64, i64\) -> i32; .*'extfn'.*\n")
        self.assertRegex(told, r"none\.wasm: this is no WebAssembly module \(version 1\)\n")
        self.assertRegex(told, r"large\.wasm: larger than 4 MiB\n")
        done = program.run("check", self.path("bad"))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout.decode() + done.stderr.decode(), r"text\.wat:3: .*not valid")
        self.check(["call", self.path("bad"), "half", "3"], stdout="1.5\n")

    def test_bodies_of_every_form(self):
        path = self.write_module("twice.wasm", TWICE)
        self.check_all([
            (["eval", "-l", "wasm", path, "21"], 0, "42.0\n", ""),
            (["eval", "-l", "wasm", "base64:" + TWICE, "21"], 0, "42.0\n", ""),
            (["eval", "-l", "wasm", "wat:" + HALF, "21"], 0, "10.5\n", ""),
            (["eval", "-l", "wasm", "/etc/passwd"], 1, "",
             r"extfn: module file '/etc/passwd' cannot be used: .*\n"),
        ])

    def test_a_body_from_a_file_is_a_module_of_either_kind(self):
        module = self.write_module("twice.wasm", TWICE)
        named = self.write_module("later", LATER)
        text = self.write("half.wat", "\ufeff\n" + HALF)
        bare = self.write("bare", HALF.split("\n", 1)[1])
        marked = self.write("marked", "wat:" + HALF)
        encoded = self.write("encoded", "base64:" + TWICE + "\n")
        wasm = ["eval", "-l", "wasm"]
        day = ["2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"]
        self.check_all([
            ([*wasm, "@" + module, "21"], 0, "42.0\n", ""),
            ([*wasm, "@" + named, "-t", "datetime,datetime->boolean", *day], 0, "true\n", ""),
            ([*wasm, "@" + text, "21"], 0, "10.5\n", ""),
            ([*wasm, "@" + bare, "21"], 0, "10.5\n", ""),
            ([*wasm, "@" + marked, "21"], 0, "10.5\n", ""),
            ([*wasm, "@" + encoded, "21"], 0, "42.0\n", ""),
            ([*wasm, "@" + self.write("secret", "root:x:0:0"), "21"], 2, "",
             r"extfn: \S+secret is no module of WebAssembly, neither as bytes nor as text\n"),
            ([*wasm, "@" + self.path("none"), "21"], 1, "", r"extfn: open '\S+none': .*\n"),
        ])
        self.check([*wasm, "@twice.wasm", "21"], stdout="42.0\n", cwd=self.directory)
        self.check([*wasm, "-", "21"], stdout="10.5\n", stdin=HALF)
        self.check([*wasm, "-", "21"], 2, stdin=base64.b64decode(TWICE),
                   stderr=r"extfn: the module on stdin is not text; give its file as '@FILE'\n")

    def test_a_module_that_changed_is_read_again(self):
        def ask():
            run.stdin.write(b'{"id":null,"call":"times","args":[10]}\n')
            run.stdin.flush()
            reply = json.loads(run.stdout.readline())
            del reply["id"]
            return reply

        self.write_module("times.wasm", TWICE)
        with subprocess.Popen([program.EXTFN, "rpc", self.directory], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
            self.assertEqual(ask(), {"ok": 20.0})
            self.write_module("times.wasm", THRICE)
            self.assertEqual(ask(), {"ok": 30.0})
            self.write("times.wasm", "no module")
            self.assertEqual(ask()["error"]["kind"], "InvalidArgument")
            self.write_module("times.wasm", TWICE)
            self.assertEqual(ask(), {"ok": 20.0})
            run.stdin.close()
            self.assertEqual(run.wait(30), 0)


def has_engine():
    languages = json.loads(program.run("doctor", "--json").stdout)["languages"]
    return "error" not in languages["Wasm"]


if __name__ == "__main__":
    if not has_engine():
        print("needs wasm, which this machine lacks", file=sys.stderr)
        sys.exit(1 if "wasm" in os.environ.get("EXTFN_TEST_REQUIRE", "") else 77)
    program.main(needs_sandbox=False)
