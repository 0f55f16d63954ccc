"""The most memory that the program itself takes for a table of 10,000,000 rows.

SPDX-License-Identifier: MIT
"""
import pathlib
import re
import subprocess
import tempfile
import time

from meters import Failed

ROWS = 10_000_000
LIMIT = 200 * 2**20
FUNCTION = "# extfn: total(x: number, y: number) -> number\nresult = x + y\n"


def peak(pid):
    """In bytes so far; 0 once it has ended."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"^VmHWM:\s*(\d+) kB$", status, re.MULTILINE)
    return int(found.group(1)) * 1024 if found else 0


def write_table(path):
    """Rows i, i % 7."""
    with open(path, "w") as table:
        table.write("x,y\n")
        for start in range(0, ROWS, 10_000):
            table.write("".join(f"{i},{i % 7}\n" for i in range(start, start + 10_000)))


def check_table(path):
    total = rows = 0
    with open(path) as table:
        next(table)
        for line in table:
            rows += 1
            total += float(line.split(",")[2])
    expected = ROWS * (ROWS - 1) // 2 + sum(i % 7 for i in range(ROWS))
    if rows != ROWS or total != expected:
        raise Failed(f"apply: {rows} rows, sum {total}; expected {ROWS}, {expected}")


def measure(build):
    with tempfile.TemporaryDirectory(prefix="extfn-bench-") as folder:
        folder = pathlib.Path(folder)
        (folder / "total.py").write_text(FUNCTION)
        write_table(folder / "in.csv")
        start = time.perf_counter()
        process = subprocess.Popen([build / "extfn", "apply", folder / "total.py", "total",
                                    folder / "in.csv", "-o", folder / "out.csv"],
                                   stderr=subprocess.PIPE, text=True)
        most = 0
        while process.poll() is None:
            most = max(most, peak(process.pid))
            time.sleep(0.02)
        seconds = time.perf_counter() - start
        if process.returncode:
            raise Failed(f"apply failed: {process.stderr.read()}")
        check_table(folder / "out.csv")
        return {"rows": ROWS, "seconds": seconds, "bytes": most, "limit": LIMIT}
