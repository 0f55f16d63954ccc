"""crates.py SOURCE BUILD: the tests of bindings/rust against the library of a build, as TAP.

cargo runs offline and writes nothing into the tree. SPDX-License-Identifier: MIT
"""
import re
import subprocess
import sys

import cargo

CASE = re.compile(r"^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)", re.MULTILINE)
SKIP = re.compile(r"^---- (\S+) stdout ----\nskipped: (.*)$", re.MULTILINE)


def tap(text, status):
    """What cargo printed, as TAP: a case a test, and one more if cargo failed beside them."""
    skips = dict(SKIP.findall(text))
    lines = []
    for name, outcome in CASE.findall(text):
        line = f"{'not ok' if outcome == 'FAILED' else 'ok'} {len(lines) + 1} {name}"
        if outcome == "ignored" or name in skips:
            line += f" # SKIP {skips.get(name, 'ignored')}"
        lines.append(line)
    if status and not any(line.startswith("not ok") for line in lines):
        lines.append(f"not ok {len(lines) + 1} cargo ended with {status}")
    return [*lines, f"1..{len(lines)}"]


def main(source, build):
    cargo.require(skipped=0)
    done = subprocess.run(
        ["cargo", "test", "--offline", "--locked", "--workspace", "--no-fail-fast", "--",
         "--show-output"],
        cwd=f"{source}/bindings/rust", env=cargo.environment(build), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    lines = tap(done.stdout, done.returncode)
    if done.returncode or len(lines) == 1:
        print(done.stdout, file=sys.stderr)
    print("\n".join(lines))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
