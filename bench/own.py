"""own.py ROWS: the same data in Python's own loops. The name of one on a line of stdin, the seconds
of one pass and the sum of its results back.

SPDX-License-Identifier: MIT
"""
import sys
import time

import bodies
from bodies import add, add_args, branch, heavy, shout


def numpy_loop(x, y):
    """Without NumPy there is nothing to run; the folder of it is in PYTHONPATH."""
    import numpy
    x, y = numpy.array(x), numpy.array(y)
    return lambda: x + y


def main(rows):
    x, y = bodies.numbers(rows)
    texts = bodies.texts(rows)
    loops = {
        "args": lambda: [add_args([a, b]) for a, b in zip(x, y)],
        "named": lambda: [add(a, b) for a, b in zip(x, y)],
        "branch": lambda: [branch(a, b) for a, b in zip(x, y)],
        "heavy": lambda: [heavy(a, b) for a, b in zip(x, y)],
        "text": lambda: [shout(a) for a in texts],
    }
    for line in sys.stdin:
        name = line.strip()
        if name == "numpy" and name not in loops:
            loops[name] = numpy_loop(x, y)
        start = time.perf_counter()
        out = loops[name]()
        seconds = time.perf_counter() - start
        assert len(out) == rows
        total = bodies.sum_texts(out) if name == "text" else sum(out)
        print(seconds, float(total), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
