"""What the tests need that load the extension as a file. SPDX-License-Identifier: MIT"""
import os
import shutil
import sqlite3
import sys
import unittest

EXTENSION = os.path.splitext(os.environ["EXTFN_SQLITE"])[0]
SHELL = shutil.which("sqlite3")

NEEDED = {
    "bwrap": ("bubblewrap", shutil.which("bwrap")),
    "sqlite": ("the shell sqlite3, and a Python whose sqlite3 module loads extensions",
               SHELL and hasattr(sqlite3.Connection, "enable_load_extension")),
}


def main():
    """Without what is needed the tests are skipped, unless EXTFN_TEST_REQUIRE names it."""
    required = os.environ.get("EXTFN_TEST_REQUIRE", "").split(",")
    missing = {word: what for word, (what, is_there) in NEEDED.items() if not is_there}
    for what in missing.values():
        print("needs", what, file=sys.stderr)
    if missing:
        sys.exit(1 if set(missing) & set(required) else 77)
    unittest.main()
