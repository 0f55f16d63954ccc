#!/usr/bin/env python3
"""count-tests.py TESTLOG.json...: sums logs of meson test to `N passed, N failed, N skipped`.

A test that speaks TAP counts as many times as it reports cases, any other one once.
SPDX-License-Identifier: MIT
"""
import json
import re
import sys

CASE = re.compile(r"^(not )?ok \d+(?:.*# *(skip))?", re.IGNORECASE | re.MULTILINE)


def count_test(test):
    """Passed, failed and skipped cases of one test."""
    cases = CASE.findall(test.get("stdout", ""))
    if test["result"] == "SKIP":
        return 0, 0, max(1, len(cases))
    skipped = sum(1 for _, skip in cases if skip)
    failed = sum(1 for negation, skip in cases if negation and not skip)
    passed = len(cases) - failed - skipped if cases else int(test["result"] == "OK")
    if test["result"] != "OK" and not failed:
        failed = 1  # died, or took too long, before it could say so
    return passed, failed, skipped


def main(paths):
    totals = [0, 0, 0]
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                totals = [a + b for a, b in zip(totals, count_test(json.loads(line)))]
    print("{} passed, {} failed, {} skipped".format(*totals))
    return 1 if totals[1] or not sum(totals) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
