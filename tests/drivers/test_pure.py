# The Pure driver's promises, one case a sentence: the plumbing with a stand-in that is no Pure, the
# rest with a real one where EXTFN_INTERPRETER_PURE names it. SPDX-License-Identifier: MIT
import os
import shutil
import struct
import sys
import tempfile
import unittest

from harness import EVALUATED, SEALED, VERSION
from harness import Failed, Lost, RowError, Worker

DRIVER = os.environ["EXTFN_TEST_DRIVER"]
GUEST = os.environ["EXTFN_TEST_GUEST"]
FAKE = os.environ["EXTFN_TEST_FAKE_PURE"]
REAL = os.environ.get("EXTFN_INTERPRETER_PURE") or shutil.which("pure")
# Workers run in a directory of their own, never in /tmp: the driver may clear that.
SCRATCH = tempfile.mkdtemp(prefix="extfn-test-pure-")
UNSET = RowError("function body did not set `result`")


def start(pure=FAKE):
    prefix = os.path.dirname(os.path.dirname(os.path.realpath(pure)))
    environment = {"LD_LIBRARY_PATH": prefix + "/lib", "PURELIB": prefix + "/lib/pure",
                   "PURE_STACK": "7168"}
    return Worker([pure, "--norc", "-x", DRIVER, GUEST], environment, cwd=SCRATCH, limit=60)


def rows(body, columns=(), types=None, result="Number", pure=FAKE, **setup):
    """The results of one call in a worker of its own."""
    with start(pure) as worker:
        worker.setup(body, types or ["Number"] * len(columns), result, **setup)
        return worker.call(columns)


def thrown(term, line):
    return RowError("unhandled exception '%s' (line %d)" % (term, line))


class Plumbing(unittest.TestCase):
    """Whatever needs no Pure."""

    def test_arguments_and_names_reach_the_body(self):
        columns = [[1.0, 2.0], [3.0, -0.0]]
        self.assertEqual(rows("let result = args!0 + y;", columns, names=["", "y"]), [4.0, 2.0])
        self.assertEqual(rows("let result = args!0 + args!1", columns), [4.0, 2.0])
        self.assertEqual(rows("let result = 7", [], []), [7.0])

    def test_values_of_all_types_cross(self):
        for kind, values in (("Number", [0.1, -0.0, 5e-324, 1e308]), ("Boolean", [True, False]),
                             ("Text", ["", "abc", "é😀", "a\nb"]), ("Enum", [0, 7, 2**32 - 1])):
            self.assertEqual(rows("let result = x;", [values], [kind], kind, names=["x"]), values)
        moments = [0, -1, 253402300799999999, -62135596800000000]
        with start() as worker:
            worker.setup("let result = args!0;", ["DateTime"], "DateTime")
            first = worker.call([moments])
            self.assertEqual(worker.call([first]), first)

    def test_no_number_changes_its_bits(self):
        numbers = [0.0, -0.0, 5e-324, 2.0**53 - 1, 1.7976931348623157e308, float("inf")]
        got = rows("let result = args!0;", [numbers])
        self.assertEqual(struct.pack("<6d", *got), struct.pack("<6d", *numbers))
        nan = struct.unpack("<d", struct.pack("<Q", 0x7FF00000000007A2))[0]
        self.assertNotEqual(*rows("let result = args!0;", [[nan]]) * 2)

    def test_integers_and_bigints_are_checked(self):
        def one(value, kind):
            return rows("let result = %s;" % value, [], [], kind)[0]
        self.assertEqual(one("9007199254740993L", "Number"), 9007199254740992.0)
        self.assertIs(one("1L", "Boolean"), True)
        self.assertIs(one("0", "Boolean"), False)
        self.assertEqual(one("2", "Boolean"),
                         RowError("return type mismatch: expected Boolean, got Number 2"))
        self.assertEqual(one("4294967295L", "Enum"), 2**32 - 1)
        self.assertEqual(one("4294967296L", "Enum"), RowError(
            "result out of range: Enum is 0 to 4294967295, got Number 4294967296"))
        self.assertEqual(one("7.5", "Enum"),
                         RowError("return type mismatch: expected Enum, got Number 7.5"))
        self.assertEqual(one("datetime 253402300800000000L", "DateTime"),
                         RowError("result out of range: DateTime is in the years 0001 to 9999"))
        self.assertEqual(one("datetime 1.5", "DateTime"),
                         RowError("return type mismatch: expected DateTime, got "
                                  "term 'datetime 1.5'"))
        self.assertEqual(one("datetime 5", "Text"),
                         RowError("return type mismatch: expected Text, got DateTime"))

    def test_terms_that_did_not_reduce_are_shown(self):
        self.assertEqual(rows('let result = foo 1 "a";', [], []), [RowError(
            "return type mismatch: expected Number, got term 'foo 1 \"a\"'")])
        self.assertEqual(rows('let result = "%s";' % ("x" * 99), [], []), [RowError(
            "return type mismatch: expected Number, got Text '%s...'" % ("x" * 60))])
        self.assertEqual(rows("let result = args;", [[1.0]]), [RowError(
            "return type mismatch: expected Number, got term '[1 items]'")])
        message = rows("let result = %s;" % ("é" * 4000), [], [])[0].message
        self.assertLess(len(message.encode()), 300)
        self.assertTrue(message.endswith("é...'"), message)

    def test_exceptions_have_their_statements_line(self):
        body = '\nlet y = x;\n\n  let z = throw "odd";\nlet result = 1;'
        self.assertEqual(rows(body, [[1.0]], names=["x"]), [thrown('"odd"', 4)])
        self.assertEqual(rows("\ufefflet y = 1;\r\nthrow a;\r\n", [], []), [thrown("a", 2)])
        message = rows("throw %s;" % (("x" * 60 + " ") * 80), [], [])[0].message
        self.assertTrue(message.endswith("...' (line 1)"), message)

    def test_nothing_runs_after_an_exception(self):
        with start() as worker:
            worker.setup('print "one"; throw x; print "two"; let result = 1;', ["Number"],
                         names=["x"])
            self.assertEqual(worker.call([[5.0]]), [thrown("5.0", 1)])
            self.assertEqual(worker.stdout, b"one\n")

    def test_a_missing_result_is_told(self):
        for body in ("", "// nothing", "let y = 1;", "5"):
            self.assertEqual(rows(body, [], []), [UNSET])

    def test_syntax_errors_fail_the_setup(self):
        for body, message in (("let y = 1;\nlet result = = 2;",
                               "syntax error, unexpected '=' (line 2)"),
                              (b"let y = 1;\n\0", "syntax error, body holds U+0000, "
                               "which Pure does not allow (line 2)"),
                              (b"\n\nlet y = \"\xff\";",
                               "syntax error, body is not valid UTF-8 (line 3)")):
            with start() as worker, self.assertRaises(Failed) as caught:
                worker.setup(body)
            self.assertEqual((caught.exception.reason, caught.exception.message), ("body", message))

    def test_vectorized_is_refused(self):
        with start() as worker, self.assertRaises(Failed) as caught:
            worker.setup("let result = x;", ["Number"], vectorized=True)
        self.assertEqual(caught.exception.message,
                         "Pure has no vectorized functions: leave the word out")

    def test_the_ready_frame_says_how_rows_are_evaluated(self):
        with start() as worker:
            self.assertEqual(worker.setup("let result = 1;").ready, 0)
        with start() as worker:
            self.assertEqual(worker.setup("const k = 1; let result = k;", seal=True).ready,
                             SEALED | EVALUATED)
            self.assertEqual(worker.call([], 2), [1.0, 1.0])
        with start() as worker:
            worker.setup("let map = 1;\nlet result = 1;")  # a name that is taken
            self.assertEqual(worker.ready, EVALUATED)
            self.assertEqual(worker.call(), [RowError("symbol is already defined (line 1)")])

    def test_texts_that_fill_the_heap_are_read_in_parts(self):
        text = "x" * (9 << 20)
        with start() as worker:
            worker.setup("let result = args!0;", ["Text"], "Text")
            self.assertEqual(worker.call([[text] * 6]), [text] * 6)
        with start() as worker:
            worker.setup("let result = args!0 + args!0;", ["Text"], "Text")
            half = "x" * (8 << 20)
            self.assertEqual(worker.call([[half] * 7]), [half * 2] * 7)
            self.assertGreater(worker.fulls, 0)
            self.assertEqual(worker.call([[text]]), [RowError(
                "result too large: 18 MiB, the limit is 16 MiB")])

    def test_messages_that_fill_the_heap_are_read_in_parts(self):
        count = 60000
        with start() as worker:
            worker.setup("throw %s;" % " ".join(["x" * 60] * 30), [], "Number")
            self.assertEqual(len(worker.call([], count)), count)
            self.assertGreater(worker.fulls, 0)

    def test_a_worker_that_ends_leaves_its_row_open(self):
        with start() as worker:
            worker.setup("let y = exit 3;")
            with self.assertRaises(Lost) as caught:
                worker.call()
            self.assertEqual((caught.exception.status, caught.exception.rows), (3, []))

    def test_output_comes_with_its_call(self):
        with start() as worker:
            worker.setup("print args!0; let result = 1;", ["Text"])
            worker.call([["a", "b"]])
            self.assertEqual(worker.stdout, b"a\nb\n")
            worker.call([["c"]])
            self.assertEqual(worker.stdout, b"a\nb\nc\n")

    def test_the_worker_ends_with_its_host(self):
        with start() as worker:
            worker.setup("let result = 1;")
            self.assertEqual(worker.finish(), 0)

    def test_frames_of_another_version_end_the_worker(self):
        with start() as worker:
            worker.setup("let result = 1;")
            worker.send(2, 0, 1, version=VERSION + 1)
            with self.assertRaises(Lost):
                worker.receive()


@unittest.skipUnless(REAL, "needs pure, which this machine lacks")
class Real(unittest.TestCase):
    """What the stand-in cannot show; starts are slow, so few workers."""

    def check(self, body, columns, expected, **setup):
        self.assertEqual(rows(body, columns, pure=REAL, **setup), expected)

    def test_rows_are_summed_bit_for_bit(self):
        with start(REAL) as worker:
            worker.setup("let result = args!0 + x;", ["Number"] * 2, names=["", "x"], seal=True)
            self.assertEqual(worker.ready, SEALED)
            self.assertEqual(worker.call([[0.1, -0.0], [0.2, -0.0]]), [0.1 + 0.2, -0.0])
            self.assertEqual(len(worker.call([[1.0] * 5000, [1.0] * 5000])), 5000)

    def test_statements_run_in_their_order(self):
        body = "let y = x;\nlet r = f 1;\nf z = z;\nlet result = if r===1 then 0 else y;"
        self.check(body, [[1.0, 2.0]], [1.0, 2.0], names=["x"])

    def test_deep_recursion_is_an_exception_and_the_worker_goes_on(self):
        with start(REAL) as worker:
            worker.setup("f n = 1+f (n+1);\nlet result = if x==1 then f 0 else x;", ["Number"],
                         names=["x"])
            deep = RowError("unhandled exception 'stack_fault', recursion too deep (line 2)")
            self.assertEqual(worker.call([[1.0, 2.0, 1.0]]), [deep, 2.0, deep])

    def test_what_an_evaluated_row_defines_is_gone(self):
        body = ("const k = x;\nlet a,b = k,1;\nlet s = if symbolp q then 0 else 100;\n"
                "let result = a+b+s;\nlet q = 1;")
        self.check(body, [[1.0, 2.0]], [2.0, 3.0], names=["x"])


def setUpModule():
    os.chmod(SCRATCH, 0o755)


def tearDownModule():
    shutil.rmtree(SCRATCH)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
