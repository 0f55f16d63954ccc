"""The same function on the same arguments gives the same bytes, whatever the way; README.md beside
this tells the ways. usage: run.py [--whole] LANGUAGE [NAME...]    SPDX-License-Identifier: MIT"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "conformance"))
import run as conformance  # noqa: E402  its cases, its program and its way to compare

NUMPY = "/usr/lib/python3/dist-packages"  # Debian's
SIZES = {"1 row": 1, "7 rows": 7, "1000 rows": 1000}
RUNS = 2
RUNS_WHOLE = 20
SHOWN = 3  # failures of a case
SHARING = "workers share batches"

ALL = ["one by one", "all", "a failure", "after a failure", *SIZES]
SHORT = ["a failure", "after a failure", "1000 rows"]

# Name of a process, what it is started with, what the short form asks it. Later runs have only the
# first.
PROCESSES = (
    ("1 worker", ["--workers", "1"], ALL),
    ("2 workers", ["--workers", "2"], SHORT),
    ("8 workers", ["--workers", "8"], SHORT),
    ("a memo", ["--memo", "64M"], SHORT),
)


class Way:
    """One process, and how many workers it started for batches that came to a warm one."""

    def __init__(self, name, options, asked, language):
        packages = ["--packages", f"python={NUMPY}"] if language == "Python" else []
        self.name = name
        self.asked = asked
        self.rpc = conformance.Rpc(options=options + packages)
        self.shared = 0

    def ask(self, request):
        reply = self.rpc.ask({**request, "cost": True})
        cost = reply.get("cost", {})
        self.shared += cost.get("workers_started", 0) + cost.get("workers_warm", 0) > 1
        return reply


# ---- One case ----

def calls_of(case, columns):
    """What is asked, one after the other: name, members of the request, the rows of it."""
    everything = range(len(columns[0]))

    def batch(rows):
        return {"columns": [[column[row] for row in rows] for column in columns]}, rows

    for row in everything:
        yield "one by one", {"args": [column[row] for column in columns]}, [row]
    yield "all", *batch(everything)
    for name, size in SIZES.items():
        size = min(size, case.get("largest", size))
        yield name, *batch([row % len(everything) for row in range(size)])
    if "failing" in case:
        yield "a failure", {"args": case["failing"]}, None
        yield "after a failure", *batch(everything)


def answer_of(reply, count):
    """The rows, in bytes that can be compared, and what was printed."""
    rows = [conformance.canonical(value) for value in conformance.in_rows(reply, count)]
    return rows, reply.get("stdout", "")


def first_difference(got, expected):
    if len(got) != len(expected):
        return f"{len(got)} rows, not {len(expected)}"
    at = next(row for row, pair in enumerate(zip(got, expected)) if pair[0] != pair[1])
    return f"row {at} is {conformance.shorten(got[at])}, not {conformance.shorten(expected[at])}"


def differences(way, function, case, columns, reference):
    """Of all that is asked of one process; `reference` is the value and the output of each row."""
    for name, members, rows in calls_of(case, columns):
        if name not in way.asked:
            continue
        reply = way.ask({**function, **members})
        if rows is None:
            if "error" not in reply:
                yield f"{way.name}, {name}: none, but {conformance.shorten(reply)}"
            continue
        got, printed = answer_of(reply, len(rows))
        expected = [reference[row][0] for row in rows]
        if got != expected:
            yield f"{way.name}, {name}: {first_difference(got, expected)}"
        if printed != "".join(reference[row][1] for row in rows):
            yield f"{way.name}, {name}: printed {conformance.shorten(printed)}"


def ask_reference(way, function, columns):
    """The first answers that there are: what all others have to be."""
    for row in zip(*columns):
        values, printed = answer_of(way.ask({**function, "args": list(row)}), 1)
        yield values[0], printed


def failures_of(case, language, ways, references):
    function = conformance.make_request(case, language)
    columns = function.pop("columns")
    if case["name"] not in references:
        answers = references[case["name"]] = list(ask_reference(ways[0], function, columns))
        is_own = case["name"].startswith("cases/")
        if is_own and all('"__improv__": "error"' in value for value, _ in answers):
            yield f"nothing but errors: {answers[0][0]}"
    for way in ways:
        yield from differences(way, function, case, columns, references[case["name"]])


# ---- Running ----

def run_once(number, is_whole, cases, language, references, found):
    ways = [Way(name, options, ALL if is_whole else asked, language)
            for name, options, asked in PROCESSES[:1 if number else None]]
    for case in cases:
        for failure in failures_of(case, language, ways, references):
            found.setdefault(case["name"], []).append(f"run {number + 1}: {failure}")
    for way in ways:
        if way.rpc.close() != 0:
            found.setdefault(cases[-1]["name"], []).append(f"{way.name}: the program failed")
    return sum(way.shared for way in ways)


def is_torture(case):
    return "everywhere" in case.get("flags", []) and "columns" in case and "bodies" in case


def main():
    is_whole = sys.argv[1] == "--whole"
    language, *wanted = sys.argv[1 + is_whole:]
    conformance.is_available(language)
    cases = conformance.read_cases(language, wanted, HERE)
    if is_whole:
        cases += [case for case in conformance.read_cases(language, wanted) if is_torture(case)]
    conformance.require(cases, language, wanted)
    names = [case["name"] for case in cases] + ([] if wanted else [SHARING])
    print(f"1..{len(names)}")
    found, references, shared = {}, {}, 0
    for number in range(RUNS_WHOLE if is_whole else RUNS):
        shared += run_once(number, is_whole, cases, language, references, found)
        print(f"# run {number + 1} done", flush=True)
    if SHARING in names and shared == 0 and language != "Wasm":
        found[SHARING] = ["none did"]
    for number, name in enumerate(names, 1):
        print("not ok" if name in found else "ok", number, "-", name)
        for failure in found.get(name, [])[:SHOWN]:
            print("#  ", failure)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
