"""A page of docs/ as a reader follows it: its files are written, its commands are run, and what
they print is what the page shows. What a block is stands behind its fence:

    ```python lib/shipping.py    a file of that name, with the block's text
    ```console                   commands behind `$ ` (lines that continue one, behind `> `), and
                                 below each what it prints; `...` there is what differs each time
    ```                          anything else is only shown

SPDX-License-Identifier: MIT
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\S+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", re.MULTILINE)
MARK = "\x1eend of a command\x1e"  # no program prints that


def read(name):
    """What a reader of docs/NAME.md does, in order: ("file", path, text), ("command", line, what it
    prints)."""
    page = (SOURCE / "docs" / f"{name}.md").read_text(encoding="utf-8")
    steps = []
    for kind, path, text in BLOCK.findall(page):
        if path:
            steps.append(("file", path, text))
        elif kind == "console":
            steps += [("command", line.replace("\n> ", "\n").removesuffix("\n"), printed)
                      for line, printed in STEP.findall(text)]
    return steps


def script(steps, folder):
    """All of it for one shell."""
    lines = []
    for kind, name, text in steps:
        if kind == "file":
            path = folder / name
            lines.append(f"mkdir -p {shlex.quote(str(path.parent))}")
            lines.append(f"printf %s {shlex.quote(text)} >{shlex.quote(str(path))}")
        else:
            lines += [name, f"status=$?; printf %s '{MARK}'; (exit $status)"]
    return "\n".join(lines)


def run(steps, folder, environment):
    """What each command prints, on both streams."""
    done = subprocess.run(["bash", "--norc", "-c", script(steps, folder)], cwd=folder, text=True,
                          env={**os.environ, "TERM": "dumb", **environment}, timeout=600,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    return done.stdout.split(MARK)[:-1]


def matches(wanted, got):
    """Is it what the page shows, `...` being any rest of a line or part of it?"""
    pattern = ".*".join(map(re.escape, wanted.split("...")))
    return re.fullmatch(pattern, got) is not None


class PageTest(unittest.TestCase):
    """`self.follow(...)` in a test of a page."""
    maxDiff = None

    def follow(self, name, folder, environment):
        """In an empty folder, beside a link `extfn` to the checkout of extfn."""
        steps = read(name)
        shown = [(line, printed) for kind, line, printed in steps if kind == "command"]
        self.assertTrue(shown, f"docs/{name}.md has no commands")
        folder = pathlib.Path(folder)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "extfn").symlink_to(SOURCE)
        printed = run(steps, folder, environment)
        for (line, wanted), got in zip(shown, printed):
            if not matches(wanted, got):
                self.assertEqual(f"$ {line}\n{wanted}", f"$ {line}\n{got}")
        self.assertEqual(len(shown), len(printed), "the shell ended before the page did")


def installed(build, folder):
    """The environment of someone who has installed this build; it is installed into FOLDER."""
    subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--quiet",
                    "--destdir", str(folder)], check=True)
    config, = pathlib.Path(folder).rglob("extfn.pc")
    program, = pathlib.Path(folder).rglob("bin/extfn")
    return {"PATH": f"{program.parent}:{os.environ['PATH']}",
            "PKG_CONFIG_PATH": str(config.parent), "PKG_CONFIG_SYSROOT_DIR": str(folder),
            "LD_LIBRARY_PATH": str(config.parent.parent)}
