"""own.py ROWS: the same data in Python's own loop. A line on stdin, the seconds of one pass back.

SPDX-License-Identifier: MIT
"""
import sys
import time


def body(args):
    result = args[0] + args[1]
    return result


def main(rows):
    x = [0.5 * i for i in range(rows)]
    y = [float(i % 7) for i in range(rows)]
    for _ in sys.stdin:
        start = time.perf_counter()
        out = [body([a, b]) for a, b in zip(x, y)]
        seconds = time.perf_counter() - start
        assert sum(out) == sum(x) + sum(y)
        print(seconds, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
