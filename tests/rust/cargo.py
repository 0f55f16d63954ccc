"""Where cargo is, and what it is told. SPDX-License-Identifier: MIT"""
import os
import re
import shutil
import subprocess
import sys

OLDEST = (1, 77)  # rust-version of bindings/rust/Cargo.toml


def missing():
    """Why cargo cannot be used, or None."""
    if not shutil.which("cargo"):
        return "needs cargo; ./dev setup rust installs it"
    told = subprocess.run(["cargo", "--version"], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False).stdout
    version = re.search(r"^cargo (\d+)\.(\d+)", told, re.MULTILINE)
    if not version or tuple(map(int, version.groups())) < OLDEST:
        return f"needs cargo {'.'.join(map(str, OLDEST))}; here is: {told.strip()}"
    return None


def require(skipped):
    """Where cargo is missing, ends the test with the status `skipped`; as failed where it may not
    be missing."""
    why = missing()
    if not why:
        return
    if "rust" in os.environ.get("EXTFN_TEST_REQUIRE", "").split(","):
        print(f"1..1\nnot ok 1 {why}")
        sys.exit(1)
    print(f"1..0 # SKIP {why}")
    sys.exit(skipped)


def environment(build, **more):
    """For cargo: the library of the build, and all that cargo makes inside of it."""
    return os.environ | {"EXTFN_BUILD_DIR": build, "CARGO_TARGET_DIR": f"{build}/rust",
                         "CARGO_TERM_COLOR": "never"} | more
