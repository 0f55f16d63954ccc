# Workers of the R driver for its tests. EXTFN_TEST_GUEST is the guest library.
# SPDX-License-Identifier: MIT
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from harness import RowError, Worker
from r_cases import Error

DRIVER = os.environ["EXTFN_TEST_DRIVER"]  # the joined script of the build
GUEST = os.environ.get("EXTFN_TEST_GUEST", "")
R = shutil.which("R")
HOME = subprocess.run([R, "RHOME"], capture_output=True, text=True).stdout.strip() if R else ""
BWRAP = shutil.which("bwrap")
# Workers run in a directory of their own, never in /tmp: the driver may clear it when it is sealed.
SCRATCH = tempfile.mkdtemp(prefix="extfn-test-r-")


def start(prefix=(), driver=DRIVER, guest=GUEST, cwd=SCRATCH):
    command = [HOME + "/bin/exec/R", "--no-echo", "--no-restore", "--vanilla", "--file=" + driver,
               "--args", guest]
    environment = {"R_HOME": HOME, "LD_LIBRARY_PATH": HOME + "/lib", "TMPDIR": cwd,
                   "R_DEFAULT_PACKAGES": "NULL", "R_ENABLE_JIT": "0"}
    return Worker([*prefix, *command], environment, cwd=cwd)


def rows(body, columns=(), types=None, result="Number", **setup):
    """The results of one call in a worker of its own."""
    types = types or ["Number"] * len(columns)
    with start() as worker:
        return worker.setup(body, types, result, **setup).call(columns)


def same(one, other):
    """Bit for bit, but all NaNs are equal."""
    if isinstance(one, float) and isinstance(other, float):
        return struct.pack("<d", one) == struct.pack("<d", other) or (one != one and other != other)
    return type(one) is type(other) and one == other


class Case(unittest.TestCase):
    def check(self, got, expected, text):
        expected = [RowError(value) if isinstance(value, Error) else value for value in expected]
        fits = len(got) == len(expected) and all(map(same, got, expected))
        self.assertTrue(fits, "%s\n     got %.2000r\nexpected %.2000r" % (text, got, expected))


def table(*tables):
    """Makes a test of each case of the tables."""
    def decorate(cls):
        for cases in tables:
            for name, case in cases.items():
                setattr(cls, "test_" + name, lambda self, case=case: self.run_case(case))
        return cls
    return decorate


def run_tests():
    if not R or not GUEST:
        required = os.environ.get("EXTFN_TEST_REQUIRE", "").split(",")
        print("R and EXTFN_TEST_GUEST are needed")
        sys.exit(1 if "r" in required else 77)
    try:
        unittest.main()
    finally:
        shutil.rmtree(SCRATCH)
