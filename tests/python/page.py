"""Pages of docs/: their program does what they show. SPDX-License-Identifier: MIT"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = os.environ["EXTFN_SOURCE"]
BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def follow(name, program="prices.py", output="output"):
    """What the page's program prints, and what the page says that it prints. It runs as in the
    virtual environment that a reader has activated."""
    page = pathlib.Path(ROOT, "docs", name).read_text(encoding="utf-8")
    blocks = dict(BLOCK.findall(page))
    path = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
    done = subprocess.run([sys.executable, "-c", blocks[program]], cwd=ROOT, text=True,
                          env={**os.environ, "PATH": path}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    return done.stdout if done.returncode == 0 else done.stderr, blocks[output]
