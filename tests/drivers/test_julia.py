# The Julia driver's promises, one case a sentence. EXTFN_TEST_GUEST is the guest library.
# SPDX-License-Identifier: MIT
import datetime
import os
import shutil
import sys
import tempfile
import unittest

from harness import EPOCH, EVALUATED, LAZY, MEMORY, NOT_DONE_ROW, SEALED, UTC, VERSION, WORN
from harness import Failed, Lost, RowError, Worker

DRIVER = os.environ["EXTFN_TEST_DRIVER"]  # the joined script of the build
GUEST = os.environ.get("EXTFN_TEST_GUEST", "")
JULIA = shutil.which("julia")
BWRAP = shutil.which("bwrap")
# Workers run in a directory of their own, never in /tmp.
SCRATCH = tempfile.mkdtemp(prefix="extfn-test-julia-")
UNSET = "function body did not set `result`"
MISMATCH = "return type mismatch: expected %s, got %s"


def start(guest=GUEST, prefix=(), is_interpreted=True):
    options = ["--startup-file=no", "--history-file=no", "--color=no", "--compiled-modules=no"]
    if is_interpreted and os.path.isdir("/usr/share/julia/stdlib/v1.5"):
        options.append("--compile=min")
    environment = {"OPENBLAS_NUM_THREADS": "1", "JULIA_DEPOT_PATH": SCRATCH + ":/usr/share/julia",
                   "JULIA_LOAD_PATH": "@stdlib"}
    return Worker([*prefix, JULIA, *options, DRIVER, guest], environment, cwd=SCRATCH)


def rows(body, columns=(), types=None, result="Number", **setup):
    """The results of one call in a worker of its own, and whether statements are evaluated."""
    types = types or ["Number"] * len(columns)
    with start() as worker:
        got = worker.setup(body, types, result, **setup).call(columns)
        if not worker.ready & EVALUATED:
            assert worker.ready & LAZY
            worker.compile()
        return got, worker.call(columns), bool(worker.ready & EVALUATED)


FUNCTION, STATEMENTS = False, True

# Bodies that are a function, or statements: what text, rows of x, results, which.
BODIES = {
    "helpers_have_locals_of_their_own": (
        "function f(s)\n s = s + 1\n t = 100\n s + t\nend\ns = 17\nt = 1\nr = f(3)\n"
        "result = s + t + r + x", [1.0, 2.0], [123.0, 124.0], FUNCTION),
    "loops_in_helpers_do_not_touch_the_body": (
        "function total(v)\n s = 0\n for y in v\n  s += y\n end\n s\nend\ns = 17\n"
        "total([1, 2, 3])\nresult = s", [1.0], [17.0], FUNCTION),
    "methods_of_base_for_all_are_of_their_row": (
        "first = length(2.5)\nBase.length(v::Float64) = 99\n"
        "result = first == 1 ? length(x) : 0", [1.0, 2.0], [99.0, 99.0], STATEMENTS),
    "methods_of_base_for_own_types": (
        "struct P\n v\nend\nBase.:+(a::P, b::P) = P(a.v + b.v)\nresult = (P(x) + P(1)).v",
        [1.5, 2.5], [2.5, 3.5], FUNCTION),
    "addition_may_be_replaced": (
        "Base.:+(a::Int, b::Int) = 42\nresult = 1 + 1", [1.0, 2.0, 3.0], [42.0] * 3, STATEMENTS),
    "generated_functions": (
        "@generated function g(v)\n return :(v + 1)\nend\nresult = g(x)", [1.0], [2.0], STATEMENTS),
    "globals_in_loops": (
        "q = 5\nfor i in 1:3\n global q += i\nend\nresult = q", [1.0], [11.0], FUNCTION),
    "globals_that_a_helper_sets": (
        "n = 0\nfunction f()\n global n\n n += 1\nend\nf()\nf()\nresult = n + x", [1.0, 1.0],
        [3.0, 3.0], FUNCTION),
    "constants_of_a_row": ("const K = x\nresult = K * 2", [1.5, 2.5], [3.0, 5.0], FUNCTION),
    "constructors_outside_their_struct": (
        "struct Q\n v\nend\nQ(a, b) = Q(a + b)\nresult = Q(x, 2).v", [1.5, 2.5], [3.5, 4.5],
        FUNCTION),
    "loops_assign_what_is_there": (
        "s = 0\nfor i in 1:3\n s = s + i\nend\nresult = s", [1.0], [6.0], FUNCTION),
    "loops_keep_what_is_new": (
        "for i in 1:3\n t = i\nend\nt = 5\nresult = t", [1.0], [5.0], STATEMENTS),
    "result_in_every_block": (
        "for i in 1:3\n try\n  let y = i\n   if y == 2\n    result = y\n   end\n  end\n"
        " catch\n end\nend", [1.0], [2.0], FUNCTION),
    "result_in_a_function_without_a_name": (
        "foreach([1, 2]) do v\n result = v\nend", [1.0], [2.0], FUNCTION),
    "a_let_keeps_its_own": ("v = 1\nlet\n v = 2\nend\nresult = v", [1.0], [1.0], STATEMENTS),
    "a_helper_with_a_result_of_its_own": (
        "function f(v)\n result = 2v\n result + 1\nend\nr = f(x)\nresult = r + f(1)", [1.0],
        [6.0], FUNCTION),
    "closures_see_the_row": ("k = x\nf(v) = v * k\nresult = f(3)", [1.5, 2.5], [4.5, 7.5],
                             FUNCTION),
    "functions_are_redefined_in_order": (
        "f(v) = 1\na = f(0)\nf(v) = 2\nb = f(0)\nresult = a + 10b", [1.0, 2.0], [21.0, 21.0],
        STATEMENTS),
    "modules_are_new_for_each_row": (
        "module M\nn = 0\ncount() = (global n += 1)\nend\nresult = M.count()", [1.0, 2.0],
        [1.0, 1.0], STATEMENTS),
    "macros_of_the_body": (
        "macro twice(v)\n :(2 * $(esc(v)))\nend\nresult = @twice x", [1.0, 2.0], [2.0, 4.0],
        FUNCTION),
    "texts_are_evaluated_in_the_rows_module": (
        "y = x\nresult = eval(:(y + 1))", [1.0, 2.0], [2.0, 3.0], STATEMENTS),
    "returns_in_statements": (
        "v = 1\nlet\n v = 2\nend\nif x > 1\n return 10\nend\nresult = v\nreturn\nresult = 7",
        [1.0, 2.0], [1.0, 10.0], STATEMENTS),
    "args_are_new_for_each_row": ("push!(args, 1)\nresult = length(args)", [1.0, 2.0], [2.0, 2.0],
                                  FUNCTION),
}

ERRORS = {
    "lines_of_the_body": ("y = 1\n\nerror(\"boom\")", "ErrorException: boom (line 3)"),
    "lines_of_helpers": ("f(v) = error(\"in\")\n\nf(1)", "ErrorException: in (line 1)"),
    "lines_of_statements": ("let\n y = 1\nend\ny = 2\nlet\n y = 3\n error(\"a\")\nend",
                            "ErrorException: a (line 7)"),
    "indices": ("result = [1, 2][7]",
                "BoundsError: attempt to access 2-element Array{Int64,1} at index [7] (line 1)"),
    "no_method": ("result = 1 + \"a\"",
                  "MethodError: no method matching +(::Int64, ::String) (line 1)"),
    "endless_recursion": ("f() = 1 + f()\nresult = f()", "StackOverflowError (line 1)"),
    "unset": ("", UNSET),
    "nothing": ("result = nothing", MISMATCH % ("Number", "nothing")),
    "booleans": ("result = true", MISMATCH % ("Number", "Boolean true")),
    "rationals": ("result = 1 // 2", MISMATCH % ("Number", "Rational{Int64} 1//2")),
}

SYNTAX = {
    "y = 1\nresult = )": "SyntaxError: unexpected \")\" (line 2)",
    "y = 1\nresult = (1": "SyntaxError: premature end of input (line 2)",
    "break": "SyntaxError: break or continue outside loop (line 1)",
    "let\n y = 1\nend\ny = 1\n\n1 = y": "SyntaxError: invalid assignment location \"1\" (line 6)",
}

# A row of each: what comes of it as Number, Boolean, Text, DateTime, Enum.
RESULTS = [
    ("Number", "3", 3.0), ("Number", "2^53 + 1", 2.0 ** 53), ("Number", "Float16(1.5)", 1.5),
    ("Number", "big(10)^300", 1e300), ("Number", "BigFloat(0.5)", 0.5), ("Number", "-0.0", -0.0),
    ("Number", "UInt8(7)", 7.0),
    ("Number", "pi", RowError(MISMATCH % ("Number", "Irrational{:π} π"))),
    ("Number", "missing", RowError(MISMATCH % ("Number", "missing"))),
    ("Number", "[1.0]", RowError(MISMATCH % ("Number", "Array{Float64,1} of length 1"))),
    ("Number", "big(10)^400",
     RowError("result out of range: integer too large for a Number")),
    ("Text", "\"a\\0ü\"", "a\0ü"), ("Text", "SubString(\"abc\", 2)", "bc"),
    ("Text", "'a'", RowError(MISMATCH % ("Text", "Char 'a'"))),
    ("Text", "\"\\xff\"", RowError("result is not valid Unicode text")),
    ("Text", "\"a\" ^ (2^24 + 1)", RowError("result too large: 17 MiB, the limit is 16 MiB")),
    ("Enum", "7", 7), ("Enum", "2^32 - 1", 4294967295),
    ("Enum", "7.0", RowError(MISMATCH % ("Enum", "Number 7.0"))),
    ("Enum", "-1", RowError("result out of range: Enum is 0 to 4294967295, got Number -1")),
    ("Boolean", "false", False),
    ("Boolean", "1", RowError(MISMATCH % ("Boolean", "Number 1"))),
    ("DateTime", "Dates.DateTime(2025, 1, 2, 3, 4, 5, 6)",
     datetime.datetime(2025, 1, 2, 3, 4, 5, 6000, tzinfo=UTC)),
    ("DateTime", "Dates.DateTime(10000)",
     RowError("result out of range: DateTime is in the years 0001 to 9999")),
    ("DateTime", "Dates.Date(2025)", RowError(MISMATCH % ("DateTime", "Dates.Date"))),
]


class Bodies(unittest.TestCase):
    def test_forms(self):
        for name, (body, column, expected, is_evaluated) in BODIES.items():
            with self.subTest(name):
                got = rows(body, [column], names=["x"])
                self.assertEqual((expected, expected, is_evaluated), got)

    def test_errors(self):
        for name, (body, message) in ERRORS.items():
            with self.subTest(name):
                got, again, _ = rows(body)
                self.assertEqual([[RowError(message)]] * 2, [got, again])

    def test_results(self):
        """One worker a type: each case is a row of its own."""
        for result in ("Number", "Boolean", "Text", "DateTime", "Enum"):
            cases = [case for case in RESULTS if case[0] == result]
            body = "using Dates\n" + "\n".join("if x == %d\n result = %s\nend" % (row, case[1])
                                               for row, case in enumerate(cases))
            column = [float(row) for row in range(len(cases))]
            got, again, is_evaluated = rows(body, [column], result=result, names=["x"])
            self.assertFalse(is_evaluated)
            self.assertEqual(got, again)
            for case, value in zip(cases, got):
                with self.subTest(case[1]):
                    self.assertEqual(repr(case[2]), repr(value))

    def test_memory_of_one_huge_thing(self):
        got, _, _ = rows("x == 2 && zeros(10^13)\nresult = x", [[1.0, 2.0, 3.0]], names=["x"])
        self.assertEqual([1.0, RowError("", MEMORY), 3.0], got)

    def test_types_of_arguments(self):
        got, again, _ = rows(
            "result = join(map(string ∘ typeof, args), ' ')",
            [[1.0], [True], ["a"], [datetime.datetime(2025, 1, 2, tzinfo=UTC)], [7]],
            ["Number", "Boolean", "Text", "DateTime", "Enum"], "Text")
        self.assertEqual([["Float64 Bool String Dates.DateTime UInt32"]] * 2, [got, again])

    def test_texts_fill_the_heap_more_than_once(self):
        with start() as worker:
            worker.setup("result = \"x\" ^ Int(x)", ["Number"], "Text", names=["x"])
            got = worker.call([[16e6] * 9])
            self.assertEqual([16000000] * 9, [len(text) for text in got])
            self.assertEqual(2, worker.fulls)


class World(unittest.TestCase):
    def test_rows_start_anew(self):
        body = ("import Random\nseen = (pwd(), haskey(ENV, \"A\"), precision(BigFloat), rand(), "
                "length(ARGS), \"/x\" in LOAD_PATH)\nENV[\"A\"] = \"1\"\ncd(\"/\")\n"
                "setprecision(BigFloat, 99)\nRandom.seed!(7)\npush!(ARGS, \"a\")\n"
                "push!(LOAD_PATH, \"/x\")\nredirect_stdout(stderr)\nresult = repr(seen)\n"
                "x == 2 && error(\"x\")")
        got, again, _ = rows(body, [[1.0, 2.0, 3.0]], result="Text", names=["x"])
        self.assertEqual([got[0], got[0]], [got[2], again[2]])
        self.assertIn(SCRATCH, got[0])
        self.assertEqual(RowError("ErrorException: x (line 11)"), got[1])

    def test_output_is_there_before_the_answer(self):
        with start() as worker:
            worker.setup("println(\"out\")\nprintln(stderr, \"err\")\nresult = 1").call()
            self.assertEqual((b"out\n", b"err\n"), (worker.stdout, worker.stderr))

    def test_what_is_left_in_main_ends_with_the_worker(self):
        with start() as worker:
            worker.setup("@eval Main left = 1\nresult = x", ["Number"], names=["x"])
            got = worker.call([[1.0, 2.0, 3.0]])
            self.assertEqual([1.0, NOT_DONE_ROW, NOT_DONE_ROW], got)
            self.assertEqual((WORN, 1), worker.done)


class Vectorized(unittest.TestCase):
    def check(self, body, column, expected):
        with start() as worker:
            worker.setup(body, ["Number"], names=["x"], vectorized=True)
            self.assertEqual(expected, worker.call([column]))

    def test_columns(self):
        self.check("result = x .* 2", [1.0, 2.0, 3.0], [2.0, 4.0, 6.0])

    def test_many_rows_of_every_type(self):
        count = 300
        moments = [EPOCH + datetime.timedelta(days=k) for k in range(count)]
        for kind, column in [("Number", [k / 2 for k in range(count)]),
                             ("Boolean", [k % 2 == 0 for k in range(count)]),
                             ("Text", ["\u00e9 %d" % k for k in range(count)]),
                             ("DateTime", moments), ("Enum", list(range(count)))]:
            for body in ["result = x", "GC.gc()\nresult = [v for v in x]\nGC.gc()",
                         "result = Any[x...]", "eval(:(result = x))"]:
                with self.subTest(kind=kind, body=body), start() as worker:
                    worker.setup(body, [kind], kind, names=["x"], vectorized=True)
                    self.assertEqual(column[:3], worker.call([column[:3]]))
                    if worker.ready & LAZY:
                        worker.compile()
                    for _ in range(2):
                        self.assertEqual(column, worker.call([column]))

    def test_the_collector_keeps_what_a_body_made(self):
        column = ["item %d" % k for k in range(65536)]
        with start(is_interpreted=False) as worker:
            worker.setup("result = x", ["Text"], "Text", names=["x"], vectorized=True).compile()
            for _ in range(3):
                self.assertEqual(column, worker.call([column]))

    def test_a_column_that_is_changed_changes_for_its_call_alone(self):
        with start() as worker:
            worker.setup("x .+= 1\nresult = x", ["Number"], names=["x"], vectorized=True)
            for _ in range(2):
                self.assertEqual([2.0, 3.0], worker.call([[1.0, 2.0]]))

    def test_rows_that_lean_on_others(self):
        told = RowError("vectorized body does not treat each row alone: row 0 differs")
        self.check("result = x .- sum(x)", [1.0, 2.0], [told, told])

    def test_compiled_bodies_are_looked_at_the_same(self):
        broken = "vectorized body does not treat each row alone: row %d differs"
        for body, told in [
                ("result = x .- sum(x)", broken % 0),
                ("result = x .+ (length(x) == 1 && x[1] == 3)", broken % 2),
                ("result = x[1:1]", "result has 1 rows, expected 3"),
                ("result = 1.0", MISMATCH % ("a column of Number", "Number 1.0")),
                ("result = string.(args[1])", MISMATCH % ("Number", "Text '1.0'")),
                ("if x[1] == 1\n error(\"no\")\nend\nresult = x", "ErrorException: no (line 2)"),
                ("result = x .* 2", None), ("result = 2 .* args[1]", None),
                ("result = Int.(x) .+ Int.(x)", None)]:
            with self.subTest(body), start() as worker:
                worker.setup(body, ["Number"], names=["x"], vectorized=True).compile()
                for _ in range(2):
                    expected = [RowError(told)] * 3 if told else [2.0, 4.0, 6.0]
                    self.assertEqual(expected, worker.call([[1.0, 2.0, 3.0]]))
                    self.assertEqual([], worker.call([[]]))

    def test_random_numbers(self):
        self.check("result = rand(length(x))", [1.0],
                   [RowError("vectorized body draws random numbers")])


class Setup(unittest.TestCase):
    def test_syntax_errors_have_their_line(self):
        for body, message in SYNTAX.items():
            with self.subTest(body), self.assertRaises(Failed) as caught, start() as worker:
                worker.setup(body)
            self.assertEqual(("body", message),
                             (caught.exception.reason, caught.exception.message))

    def test_a_guest_that_cannot_seal_ends_it(self):
        with start(guest="/nonexistent.so") as worker, self.assertRaises((Failed, Lost)):
            worker.setup("result = 1", seal=True)

    @unittest.skipUnless(BWRAP, "needs bwrap, which this machine lacks")
    def test_a_sealed_worker_computes_and_starts_nothing(self):
        sandbox = [BWRAP, "--unshare-user", "--unshare-pid", "--dev-bind", "/", "/"]
        with start(prefix=sandbox) as worker:
            worker.setup("result = try\n run(`true`)\n 0\ncatch\n 1\nend", seal=True)
            self.assertEqual(SEALED, worker.ready & SEALED)
            self.assertEqual([1.0], worker.call())

    def test_a_text_that_is_too_deep_is_a_syntax_error(self):
        with self.assertRaises(Failed) as caught, start() as worker:
            worker.setup("result = " + "(" * 100000)
        self.assertEqual("SyntaxError: function body is too large or too deeply nested (line 1)",
                         caught.exception.message)

    def test_the_driver_ends_with_its_host(self):
        with start() as worker:
            worker.setup("result = 1")
            self.assertEqual(0, worker.finish())

    def test_another_protocol_ends_the_driver(self):
        with start() as worker:
            worker.send(1, 0, 1, version=VERSION + 1)
            with self.assertRaises(Lost) as caught:
                worker.receive()
            self.assertEqual(2, caught.exception.status)


if __name__ == "__main__":
    if JULIA is None:
        print("needs julia, which this machine lacks")
        sys.exit(1 if "julia" in os.environ.get("EXTFN_TEST_REQUIRE", "").split(",") else 77)
    try:
        unittest.main()
    finally:
        shutil.rmtree(SCRATCH, ignore_errors=True)
