"""A library for the tests of the faces in SQL: one function a type, some that fail.

SPDX-License-Identifier: MIT
"""
import pathlib
import tempfile

import extfn

FUNCTIONS = {
    "half": "# extfn: half(n: number) -> number\n"
            "if n == 13:\n    raise ValueError('nope')\nresult = n / 2\n",
    "plus": "# extfn: plus(x: number, y: number) -> number\nresult = x + y\n",
    "shout": "# extfn: shout(t: text) -> text\nresult = t.upper()\n",
    "later": "# extfn: later(at: datetime, days: number) -> datetime\n"
             "from datetime import timedelta\nresult = at + timedelta(days)\n",
    "following": "# extfn: following(kind: enum) -> enum\nresult = kind + 1\n",
    "flipped": "# extfn: flipped(b: boolean) -> boolean\nresult = not b\n",
    "three": "# extfn: three() -> number\nresult = 3.0\n",
    "fails": "# extfn: fails(n: number) -> number\nraise RuntimeError('called')\n",
    "thrown": "# extfn: thrown() -> number impure\nimport os\n"
              "result = int.from_bytes(os.urandom(6))\n",
    "drawn": "# extfn: drawn(n: number) -> number impure\nimport os\n"
             "result = int.from_bytes(os.urandom(6))\n",
    "broken": "# extfn: broken(n: number) -> number\nresult = = n\n",
}


def load(functions=None):
    """Nothing is left of the files: what is called has to have travelled."""
    with tempfile.TemporaryDirectory(prefix="extfn-test-sql-") as folder:
        for name, text in (functions or FUNCTIONS).items():
            pathlib.Path(folder, f"{name}.py").write_text(text, encoding="utf-8")
        return extfn.load(folder)
