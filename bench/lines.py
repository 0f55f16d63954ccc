"""What is measured, what stands beside it, and how many times as fast it has to be.

A name is what meters.py measures: `FUNCTION cold`, `FUNCTION warm [COPIES]`, `FUNCTION memo` (its
value is known) or `FUNCTION column [WORKERS]` of functions.c; `LANGUAGE own LOOP` of own.py, own.R,
own.jl; `LANGUAGE fresh process`; what a program of peers/ answers. `@ROWS` at its end: with so many
rows instead. Both sides of a line must give the same sum.

SPDX-License-Identifier: MIT
"""
import collections

Line = collections.namedtuple("Line", "name other mark")  # mark None: only to be known
Contender = collections.namedtuple("Contender", "name text kind")
Task = collections.namedtuple("Task", "key title base contenders")
Growth = collections.namedtuple("Growth", "key title axis unit points series")

SHORT = [Line(*line) for line in [
    ("python cold", "python fresh process", 1),
    ("python warm", "python fresh process", 1000),
    ("python warm", "floor warm", 0.5),
    ("python memo", "python warm", 5),
    ("python column", "python own args", 0.8),
    ("python-named column", "python own named", 0.8),
    ("python-branch column", "python own branch", 0.8),
    ("python-text column", "python own text", 0.75),
    ("numpy column", "python own numpy", 0.5),
    ("r cold", "r fresh process", 1),
    ("r warm", "r fresh process", 5000),
    ("r warm", "floor warm", 0.5),
    ("r column", "r own args", 0.8),
    ("r-named column", "r own named", 0.8),
    ("r-text column", "r own text", 0.8),
    ("r-vectorized column", "r own vectors", 0.5),
    ("julia cold", "julia fresh process", 1),
    ("julia warm", "julia fresh process", 30000),
    ("julia warm", "floor warm", 0.5),
    ("julia column", "julia own args", 0.5),
    ("julia-named column", "julia own named", 0.5),
    ("julia-text column", "julia own text", 0.5),
    ("julia-vectorized column", "julia own vectors", 0.5),
    ("wasm cold", "wasm fresh engine", 0.25),  # which has no host object to make
    ("wasm warm", "wasm fresh engine", 300),
    ("wasm column", "wasm raw calls", 3),
]]

BODIES = {  # of the peers: ours
    "add": "python-named",
    "branch": "python-branch",
    "heavy": "python-heavy",
    "text": "python-text",
}
PYTHON_PEERS = ["duckdb native", "duckdb arrow", "arrow-udf", "plpython", "spark"]

FULL = SHORT + [Line(*line) for line in [
    ("python-heavy column", "python own heavy", 0.8),
    ("python-named column 2", "python-named column", 1.8),
    ("python-heavy column 2", "python-heavy column", 1.8),
    *((f"{ours} column", f"{peer} {body}", 1)
      for body, ours in BODIES.items() for peer in PYTHON_PEERS),
    ("numpy column", "duckdb arrow vector", 1),
    ("numpy column", "spark vector", 1),
    *(("python warm", f"{peer} call", None) for peer in PYTHON_PEERS),
    *(("python cold", f"{peer} cold", None) for peer in ("duckdb", "arrow-udf", "plpython",
                                                         "spark")),
    ("r-branch column", "r own branch", 0.8),
    ("r-named column", "plr add", 1),
    ("r-branch column", "plr branch", 1),
    ("r-text column", "plr text", 1),
    ("r-vectorized column", "plr vector", 1),
    ("r warm", "plr call", None),
    ("r cold", "plr cold", None),
    ("julia-branch column", "julia own branch", 0.5),
    *((f"{name} warm", "floor warm", None) for name in ("numpy", "r-vectorized",
                                                        "julia-vectorized")),
]]
CHUNK_ROWS = 65_536  # of a vectorized body, of which two rows are evaluated again
CHECK_MARK = 0.9
SELDOM = {"spark cold", "spark call"}  # they take half of a round
NOT_MEASURED = {
    "arrow-udf embedded in Rust": "its runtime needs Python 3.12 or newer, Debian 12 has 3.11",
    "arrow-udf's loop in a Wasm guest": "its modules are made by Rust macros of its own, and its "
                                        "runtime is a crate",
}

# ---- What the charts and the table of shares show ----


def contender(name, text, kind="peer"):
    return Contender(name, text, kind)


def python_task(body, title):
    ours = BODIES[body]
    loop = "named" if body == "add" else body
    return Task(f"python-{body}", title, f"python own {loop}", [
        contender(f"python own {loop}", "CPython's own loop", "loop"),
        contender(f"{ours} column", "extfn", "ours"),
        *([contender(f"{ours} column 2", "extfn, two workers", "ours")]
          if body in ("add", "heavy") else []),
        *(contender(f"{peer} {body}", TEXTS[peer]) for peer in PYTHON_PEERS)])


TEXTS = {
    "duckdb native": "DuckDB, native",
    "duckdb arrow": "DuckDB, arrow",
    "arrow-udf": "arrow-udf's Python package",
    "plpython": "PostgreSQL, PL/Python",
    "spark": "Spark, pandas UDF",
}
COLUMNS = [
    python_task("add", "Python: x + y, a row at a time"),
    python_task("branch", "Python: a body with a branch"),
    python_task("heavy", "Python: a body with a loop and branches"),
    python_task("text", "Python: a text body"),
    Task("numpy", "Python: x + y, vectorised", "python own numpy", [
        contender("python own numpy", "NumPy itself", "loop"),
        contender("numpy column", "extfn, vectorized", "ours"),
        contender("duckdb arrow vector", "DuckDB, arrow"),
        contender("spark vector", "Spark, pandas UDF")]),
    Task("r-add", "R: x + y, a row at a time", "r own named", [
        contender("r own named", "R's own compiled loop", "loop"),
        contender("r-named column", "extfn", "ours"),
        contender("plr add", "PostgreSQL, PL/R")]),
    Task("r-branch", "R: a body with a branch", "r own branch", [
        contender("r own branch", "R's own compiled loop", "loop"),
        contender("r-branch column", "extfn", "ours"),
        contender("plr branch", "PostgreSQL, PL/R")]),
    Task("r-text", "R: a text body", "r own text", [
        contender("r own text", "R's own compiled loop", "loop"),
        contender("r-text column", "extfn", "ours"),
        contender("plr text", "PostgreSQL, PL/R")]),
    Task("r-vector", "R: x + y, vectorised", "r own vectors", [
        contender("r own vectors", "R's own vectors", "loop"),
        contender("r-vectorized column", "extfn, vectorized", "ours"),
        contender("plr vector", "PostgreSQL, PL/R on arrays")]),
    *(Task(f"julia-{body}", f"Julia: {title}", f"julia own {loop}", [
        contender(f"julia own {loop}", "Julia's own loop", "loop"),
        contender(f"{ours} column", "extfn", "ours")])
      for body, loop, ours, title in [
          ("args", "args", "julia", "x + y out of `args`"),
          ("add", "named", "julia-named", "x + y, a row at a time"),
          ("branch", "branch", "julia-branch", "a body with a branch"),
          ("text", "text", "julia-text", "a text body"),
          ("vector", "vectors", "julia-vectorized", "x + y, vectorised")]),
    Task("wasm", "Wasm: x + y, 10,000,000 rows", "wasm raw calls", [
        contender("wasm raw calls", "wasmtime, a call a row from C", "loop"),
        contender("wasm column", "extfn", "ours")]),
]
CALLS = Task("calls", "One warm call", None, [
    contender("wasm warm", "extfn, Wasm", "ours"),
    contender("python warm", "extfn, Python", "ours"),
    contender("r warm", "extfn, R", "ours"),
    contender("julia warm", "extfn, Julia", "ours"),
    contender("floor warm", "a C program in the same sandbox", "loop"),
    contender("arrow-udf call", "arrow-udf's Python package"),
    contender("plpython call", "PostgreSQL, PL/Python"),
    contender("plr call", "PostgreSQL, PL/R"),
    contender("duckdb native call", "DuckDB, native"),
    contender("duckdb arrow call", "DuckDB, arrow"),
    contender("spark call", "Spark, pandas UDF")])
COLD = Task("cold", "From nothing to the first result", None, [
    contender("wasm cold", "extfn, Wasm", "ours"),
    contender("python cold", "extfn, Python", "ours"),
    contender("r cold", "extfn, R", "ours"),
    contender("julia cold", "extfn, Julia", "ours"),
    contender("python fresh process", "bwrap and Python, a call", "loop"),
    contender("r fresh process", "bwrap and R, a call", "loop"),
    contender("julia fresh process", "bwrap and Julia, a call", "loop"),
    contender("plpython cold", "PL/Python, a new session"),
    contender("plr cold", "PL/R, a new session"),
    contender("duckdb cold", "DuckDB, a new process"),
    contender("arrow-udf cold", "arrow-udf, a new process"),
    contender("spark cold", "Spark, a new process")])

LANGUAGES = {"Python": "python-named", "R": "r-named", "Julia": "julia-named", "Wasm": "wasm"}
ROW_COUNTS = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
GROWTHS = [
    Growth("rows", "Rows of one column", "rows", "rows/s", ROW_COUNTS,
           {text: f"{name} column @{{}}" for text, name in LANGUAGES.items()}),
    Growth("functions", "Functions called in turn, each with a warm worker", "functions", "s",
           [1, 2, 4, 8, 16, 32, 64],
           {"Python": "python warm {}", "R": "r warm {}", "Wasm": "wasm warm {}"}),
    Growth("workers", "Workers of one column of 1,000,000 rows", "workers", "rows/s", [1, 2, 4, 8],
           {"Python": "python-named column {}", "Python, heavy": "python-heavy column {}",
            "R": "r-named column {}"}),
]


def names_of(lines):
    return list(dict.fromkeys(name for line in lines for name in (line.name, line.other)))


def growth_names():
    return [form.format(point) for growth in GROWTHS
            for form in growth.series.values() for point in growth.points]
