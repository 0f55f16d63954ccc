#!/usr/bin/env python3
"""show.py FOLDER MEASURE...: measures over product, month and region beside each other.

`!` is a cell that failed.
SPDX-License-Identifier: MIT
"""
import csv
import os
import sys

DIMENSIONS = ("product", "month", "region")


def read(path, measure, cells):
    with open(path, encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            coordinate = tuple(row[name] for name in DIMENSIONS)
            shown = "!" if row[f"{measure}_error"] else row[measure]
            cells.setdefault(coordinate, {})[measure] = shown


def main(folder, *measures):
    cells = {}
    for measure in measures:
        read(os.path.join(folder, f"{measure}.csv"), measure, cells)
    rows = [(*DIMENSIONS, *measures)]
    rows += [(*coordinate, *(cells[coordinate].get(measure, "") for measure in measures))
             for coordinate in sorted(cells)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("    " + "  ".join(map(str.rjust, row, widths)))


if __name__ == "__main__":
    main(*sys.argv[1:])
