"""Runs the program and compares what it does. SPDX-License-Identifier: MIT"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

EXTFN = os.environ["EXTFN"]
HERE = os.path.dirname(os.path.abspath(__file__))
LIB = os.path.join(HERE, "functions")


def run(*args, stdin=b"", env=None, cwd=None, **options):
    """The finished process; its output as bytes."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    return subprocess.run([EXTFN, *args], input=stdin, capture_output=True,
                          env={**os.environ, **(env or {})}, cwd=cwd,
                          timeout=120, check=False, **options)


class ProgramTest(unittest.TestCase):
    """Each test has a directory of its own, `self.directory`."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="extfn-test-cli-")
        self.addCleanup(scratch.cleanup)
        self.directory = scratch.name

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, content):
        if isinstance(content, str):
            content = content.encode()
        with open(self.path(name), "wb") as out:
            out.write(content)
        return self.path(name)

    def write_bad_library(self):
        """One function that is sound, one that does not parse, a file without declaration."""
        os.mkdir(self.path("bad"))
        self.write("bad/sound.py", "# extfn: sound(x: number) -> number\nresult = x\n")
        self.write("bad/unsound.R", "# extfn: unsound(x: number) -> number\nresult <- 1 +* x\n")
        self.write("bad/undeclared.py", "result = 1\n")
        return self.path("bad")

    def read(self, name):
        with open(self.path(name), "rb") as text:
            return text.read().decode()

    def check(self, args, status=0, stdout="", stderr="", stdin=b"", **options):
        """stdout is the text itself, stderr a pattern of all of it."""
        done = run(*args, stdin=stdin, **options)
        told = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, status, f"{args}: {told}")
        self.assertEqual(done.stdout.decode(errors="replace"), stdout, args)
        if not re.fullmatch(stderr, told):
            self.fail(f"{args}: stderr {told!r} does not match {stderr!r}")

    def check_all(self, cases):
        """Each case: arguments, exit status, stdout, pattern of stderr."""
        for args, status, stdout, stderr in cases:
            with self.subTest(args=args):
                self.check(args, status, stdout, stderr)


def main(needs_sandbox=True):
    """Without a sandbox the tests are skipped, unless bwrap is required."""
    probe = run("eval", "-l", "python", "result = 1") if needs_sandbox else None
    if probe and probe.returncode == 4:
        sys.stderr.buffer.write(probe.stderr)
        is_required = "bwrap" in os.environ.get("EXTFN_TEST_REQUIRE", "")
        sys.exit(1 if is_required else 77)
    unittest.main()
