#!/usr/bin/env python3
"""show-csv.py FILE COLUMN...: these columns of a CSV file as an aligned table.

SPDX-License-Identifier: MIT
"""
import csv
import sys


def main(path, *columns):
    with open(path, encoding="utf-8", newline="") as lines:
        rows = [[row[column] for column in columns] for row in csv.DictReader(lines)]
    rows.insert(0, columns)
    widths = [max(map(len, column)) for column in zip(*rows)]
    rows.insert(1, ["-" * width for width in widths])
    for row in rows:
        print("  " + "  ".join(map(str.ljust, row, widths)).rstrip())


if __name__ == "__main__":
    main(*sys.argv[1:])
