"""What the filters cost a system call: os.getppid() from inside, with all layers and without any.

SPDX-License-Identifier: MIT
"""
import os
import statistics
import subprocess

from meters import Failed

LIMIT_NS = 100
ROUNDS = 7
CALLS = 300_000
BODY = f"""import os, time
call = os.getppid
start = time.perf_counter()
for _ in range({CALLS}):
    call()
result = (time.perf_counter() - start) / {CALLS} * 1e9"""


def measure_once(build, environment):
    done = subprocess.run([build / "extfn", "eval", "-l", "python", BODY], text=True,
                          env=os.environ | environment, capture_output=True, check=False)
    if done.returncode != 0:
        raise Failed(f"system call: {done.stderr.strip()}")
    return float(done.stdout)


def measure(build):
    """Nanoseconds of a call, in turns: {"with": ..., "without": ...}, medians."""
    ways = {"with": {}, "without": {"IMPROV_EXTFN_TRUSTED": "1"}}
    seen = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, environment in ways.items():
            seen[name].append(measure_once(build, environment))
    return {name: statistics.median(values) for name, values in seen.items()}


def verdict(found):
    return "reached" if found["with"] - found["without"] <= LIMIT_NS else "MISSED"


def tell(found):
    more = found["with"] - found["without"]
    return (f"A system call from inside takes {found['with']:.0f} ns, without any layer "
            f"{found['without']:.0f} ns: {more:.0f} ns more. Mark: {LIMIT_NS} {verdict(found)}.")
