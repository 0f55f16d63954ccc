"""Runs the cases of *.jsonl in one language: README.md beside this says what a case is.
usage: run.py LANGUAGE [NAME...]    SPDX-License-Identifier: MIT"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

EXTFN = os.environ.get("EXTFN", "build/extfn")
HERE = os.path.dirname(os.path.abspath(__file__))
SUFFIX = {"Python": ".py", "R": ".R", "Julia": ".jl", "Pure": ".pure", "Wasm": ".wat"}
BATCH_SIZES = (1, 7, 1000)
OTHER_SIZE = 7  # of a batch in another process
REPLY_PARTS = ("ok", "rows", "error", "stdout", "stderr")


# ---- Cases ----

def read_cases(language, wanted, folder=HERE):
    """The cases that have something to run in the language, in the order of the files."""
    cases = []
    for path in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
        subject = os.path.basename(path)[:-len(".jsonl")]
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    case = dict(json.loads(line))
                except ValueError as failure:
                    sys.exit(f"{path}:{number}: {failure}")
                case["name"] = f"{subject}/{case['name']}"
                case.update(case.get("in", {}).get(language, {}))
                has_text = any(language in case.get(key, {}) for key in ("bodies", "files"))
                if has_text and (not wanted or any(name in case["name"] for name in wanted)):
                    cases.append(case)
    return cases


def require(cases, language, wanted):
    """No test is no test passed."""
    if not cases:
        named = f" and a name like {' or '.join(wanted)}" if wanted else ""
        sys.exit(f"no case has a body in '{language}'{named}")


def expand(value):
    """{"repeat": [TEXT, COUNT]} stands for what would be too long to write down."""
    if isinstance(value, dict) and set(value) == {"repeat"}:
        text, count = value["repeat"]
        return text * count if isinstance(text, (str, list)) else [text] * count
    if isinstance(value, dict):
        return {key: expand(item) for key, item in value.items()}
    return [expand(item) for item in value] if isinstance(value, list) else value


def descriptor(case, language):
    flags = case.get("flags", [])
    function = {"name": case.get("function", "f"), "language": language,
                "body": case["bodies"][language],
                "arg_types": case.get("arg_types", []), "return_type": case["return_type"],
                "pure": "impure" not in flags}
    if "arg_names" in case:
        function["arg_names"] = case["arg_names"]
    if "vectorized" in flags:
        function["vectorized"] = True
    return function


def make_request(case, language):
    if "files" in case:
        request = {"call": case["function"]}
    else:
        request = {"fn": descriptor(case, language)}
    if "columns" in case:
        request["columns"] = expand(case["columns"])
    else:
        request["args"] = expand(case.get("args", []))
    for key in ("rows_wanted", "timeout"):
        if key in case:
            request["rows" if key == "rows_wanted" else key] = case[key]
    return request


# ---- Comparing ----

def canonical(value):
    """Numbers as they are written: -0.0 is not 0.0, 5 is not 5.0."""
    return json.dumps(value, sort_keys=True)


def shorten(value):
    text = value if isinstance(value, str) else canonical(value)
    return text if len(text) <= 300 else f"{text[:200]}... ({len(text)} characters)"


def is_match(expected, got):
    """As they are, but {"pattern": RE} matches all of a text, and that at any depth."""
    if isinstance(expected, dict) and set(expected) == {"pattern"}:
        return isinstance(got, str) and re.fullmatch(expected["pattern"], got, re.S) is not None
    if isinstance(expected, dict) and isinstance(got, dict):
        return (set(expected) == set(got)
                and all(is_match(item, got[key]) for key, item in expected.items()))
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(is_match, expected, got))
    return canonical(expected) == canonical(got)


def failures_of(expected, reply):
    """What differs; a part that the case does not name has to be absent, but for "stderr": R and
    others have their say there."""
    for part in REPLY_PARTS:
        wanted = expand(expected.get(part))
        if wanted is None and (part not in reply or part == "stderr"):
            continue
        if wanted is None or part not in reply or not is_match(wanted, reply[part]):
            yield f"{part}: expected {shorten(wanted)}, got {shorten(reply.get(part))}"


# ---- The program ----

class Rpc:
    """One process of `extfn rpc`."""

    def __init__(self, library=None, options=()):
        command = [EXTFN, "rpc", *options] + ([library] if library else [])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, request):
        self.process.stdin.write(json.dumps({"id": 1, **request}).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"died": self.process.wait(60)}

    def close(self):
        self.process.stdin.close()
        return self.process.wait(60)


def in_rows(reply, count):
    """A reply to one call, as the rows of a batch would have it: errors as values."""
    if "error" in reply and count == 1:
        kind = "type_mismatch" if reply["error"]["kind"] == "TypeMismatch" else "custom"
        value = {"__improv__": "error", "kind": kind, "message": reply["error"]["message"]}
        return [value]
    return reply["rows"] if "rows" in reply else [reply.get("ok", reply)]


def check_everywhere(rpc, other, case, language, rows):
    """The same rows one by one, in batches of several sizes, and in another process."""
    request = make_request(case, language)
    columns = request.pop("columns")
    count = len(columns[0])
    singles = []
    for row in range(count):
        one = dict(request, args=[column[row] for column in columns])
        singles += in_rows(rpc.ask(one), 1)
    if canonical(singles) != canonical(rows):
        yield f"one by one: {shorten(singles)}, as a batch {shorten(rows)}"
    batches = [(rpc, "this", size) for size in BATCH_SIZES] + [(other, "another", OTHER_SIZE)]
    for process, name, size in batches:
        picked = [row % count for row in range(size)]
        batch = dict(request, columns=[[column[row] for row in picked] for column in columns])
        expected = canonical([rows[row] for row in picked])
        got = canonical(in_rows(process.ask(batch), size))
        if got != expected:
            yield f"{size} rows in {name} process: {shorten(got)}, not {shorten(expected)}"


def check_table(case, library):
    """`extfn apply` over a CSV file."""
    with tempfile.NamedTemporaryFile(suffix=".csv") as table:
        table.write(case["csv"].encode())
        table.flush()
        done = subprocess.run([EXTFN, "apply", library, case["function"], table.name],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=120, check=False)
    got = done.stdout.decode()
    if got != case["table"]:
        yield f"table: expected {shorten(case['table'])}, got {shorten(got)}"


def check_case(rpc, other, case, language, library):
    if "csv" in case:
        yield from check_table(case, library)
        return
    reply = rpc.ask(make_request(case, language))
    yield from failures_of(case, reply)
    if "everywhere" in case.get("flags", []) and "rows" in reply:
        yield from check_everywhere(rpc, other, case, language, reply["rows"])


def write_library(cases, language, directory):
    for number, case in enumerate(cases):
        if language in case.get("files", {}):
            path = os.path.join(directory, f"file{number}{SUFFIX[language]}")
            with open(path, "wb") as out:
                out.write(case["files"][language].encode())


# ---- Running ----

def is_available(language):
    """Whether the program can run it at all; a machine may lack the interpreter or the sandbox."""
    doctor = subprocess.run([EXTFN, "doctor"], capture_output=True, check=False, text=True)
    required = os.environ.get("EXTFN_TEST_REQUIRE", "").split(",")
    for name, is_missing in (("bwrap", doctor.returncode == 4),
                             (language.lower(), is_language_missing(language))):
        if is_missing:
            print(f"1..0 # skip needs {name}, which this machine lacks")
            sys.exit(1 if name in required else 0)  # to TAP another status is a failure


def is_language_missing(language):
    rpc = Rpc()
    reply = rpc.ask({"fn": {"name": "f", "language": language, "body": "", "arg_types": [],
                            "return_type": "Number", "pure": True}, "args": []})
    rpc.close()
    return reply.get("error", {}).get("kind") == "LanguageUnavailable"


def run_all(cases, language, library):
    bad = 0
    rpc, other = Rpc(library), Rpc()
    print(f"1..{len(cases)}")
    for number, case in enumerate(cases, 1):
        try:
            failures = list(check_case(rpc, other, case, language, library))
        except (BrokenPipeError, ValueError) as failure:
            failures = [f"the program broke: {failure!r}"]
        if rpc.process.poll() is not None:
            failures.append(f"the program ended with status {rpc.process.returncode}")
            rpc = Rpc(library)
        print("not ok" if failures else "ok", number, "-", case["name"], flush=True)
        for failure in failures:
            bad += 1
            print("#  ", failure, flush=True)
    if rpc.close() != 0 or other.close() != 0:
        bad += 1
    return 1 if bad else 0


def main():
    language, *wanted = sys.argv[1:]
    is_available(language)
    cases = read_cases(language, wanted)
    require(cases, language, wanted)
    library = tempfile.mkdtemp(prefix="extfn-conformance-")
    try:
        write_library(cases, language, library)
        return run_all(cases, language, library)
    finally:
        shutil.rmtree(library)


if __name__ == "__main__":
    sys.exit(main())
