"""own.py ROWS: the same data in Python's own loops. The name of one on a line of stdin, the seconds
of one pass back.

SPDX-License-Identifier: MIT
"""
import sys
import time


def add_args(args):
    result = args[0] + args[1]
    return result


def add(x, y):
    result = x + y
    return result


def branch(x, y):
    if x > y:
        result = x - y
    else:
        result = y * 2
    return result


def shout(x):
    result = x.upper() + "!"
    return result


def numpy_loop(x, y):
    """Without NumPy there is nothing to run; the folder of it is in PYTHONPATH."""
    import numpy
    x, y = numpy.array(x), numpy.array(y)
    return lambda: x + y


def main(rows):
    x = [0.5 * i for i in range(rows)]
    y = [float(i % 7) for i in range(rows)]
    texts = ["item %d" % i for i in range(rows)]
    loops = {
        "args": lambda: [add_args([a, b]) for a, b in zip(x, y)],
        "named": lambda: [add(a, b) for a, b in zip(x, y)],
        "branch": lambda: [branch(a, b) for a, b in zip(x, y)],
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
        print(seconds, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
