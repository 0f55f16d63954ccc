# The R driver's promises, one case a sentence. SPDX-License-Identifier: MIT
import os
import tempfile
import unittest

from harness import ERROR, MEMORY, SEALED, VERSION, Failed, Lost, RowError
from r_case import DRIVER, GUEST, BWRAP, SCRATCH, start, rows, Case, table, run_tests
from r_cases import BODIES, ERRORS, MISMATCH, RESULTS, SYNTAX, UNSET, VALUES, WORLD


@table(BODIES, ERRORS, VALUES)
class Bodies(Case):
    def run_case(self, case):
        body, columns, expected, result, setup = case
        self.check(rows(body, columns, result=result, **setup), expected, body)

    def test_results(self):
        """One worker a type: each case is a row of its own."""
        for result in ("Number", "Boolean", "Text", "DateTime", "Enum"):
            cases = {name: case for name, case in RESULTS.items() if case[3] == result}
            body = "\n".join("if (args[[1]] == %d) {\n%s\n}" % (row, case[0])
                             for row, case in enumerate(cases.values()))
            got = rows(body, [[float(row) for row in range(len(cases))]], result=result)
            for row, (name, case) in enumerate(cases.items()):
                with self.subTest(name):
                    self.check(got[row:row + 1], case[2], case[0])


@table(WORLD)
class World(Case):
    def run_case(self, body):
        first, second, third = rows(body, [[0.0] * 3], result="Text")
        self.assertIsInstance(first, str)
        self.assertEqual([first, first], [second, third])

    def test_failing_rows_are_undone_too(self):
        got = rows("x <- getOption('digits')\noptions(digits = 3)\nstop(x)", [[0.0] * 2])
        self.assertEqual([RowError("simpleError: 7 (line 3)")] * 2, got)

    def test_rows_of_the_wrong_type_are_undone_too(self):
        got = rows("x <- getOption('digits')\noptions(digits = 3)\nresult <- paste(x)", [[0.0] * 2])
        self.assertEqual([RowError(MISMATCH % ("Number", "Text '7'"))] * 2, got)

    def test_generator_starts_each_row_the_same(self):
        for body in ("result <- runif(1)", "result <- rnorm(3)[3]", "result <- sample(100, 1)[[1]]",
                     "f <- get('runif')\nresult <- f(1)", "result <- do.call('rnorm', list(1))",
                     "result <- sapply(1, 'rexp')", "result <- stats::runif(1)",
                     "result <- eval(parse(text = 'runif(1)'))"):
            with self.subTest(body):
                got = rows(body, [[0.0] * 3])
                self.assertEqual(1, len(set(got)), got)
                self.assertEqual(got[:1], rows(body, [[0.0]]))

    def test_text_sorts_by_code_point(self):
        self.assertEqual(["A B a b"], rows("result <- paste(sort(c('b', 'A', 'a', 'B')), "
                                           "collapse = ' ')", result="Text"))

    def test_world_is_fixed(self):
        self.assertEqual(["UTC C.UTF-8 /tmp"], rows(
            "result <- paste(Sys.timezone(), Sys.getlocale('LC_CTYPE'), path.expand('~'))",
            result="Text"))


class Setup(Case):
    def test_syntax_errors_have_their_line(self):
        for message, body in SYNTAX.items():
            with self.subTest(message), start() as worker:
                with self.assertRaises(Failed) as failed:
                    worker.setup(body)
                self.assertEqual(("body", "SyntaxError: " + message), failed.exception.args)

    def test_body_with_a_broken_assignment_fails_its_rows(self):
        self.assertIn("simpleError: ", rows("if (FALSE) 1 <- 2\n1 <- 2")[0].message)

    def test_worker_is_sealed_when_told_to(self):
        with start() as worker:
            worker.setup("result <- suppressWarnings(system('true'))", seal=True)
            self.assertEqual(SEALED, worker.ready)
            got = worker.call()[0]
            self.assertTrue(isinstance(got, RowError) or got != 0, got)

    def test_worker_is_not_sealed_otherwise(self):
        with start() as worker:
            self.assertEqual(0, worker.setup("result <- 1").ready)

    def test_worker_ends_with_the_pipe_and_leaves_nothing(self):
        with tempfile.TemporaryDirectory(dir=SCRATCH) as directory, start(cwd=directory) as worker:
            worker.setup("result <- 1").call()
            self.assertEqual(0, worker.finish())
            self.assertEqual([], os.listdir(directory))

    def test_worker_refuses_frames_of_another_version(self):
        with start() as worker:
            worker.send(1, 0, 1, version=VERSION + 1)
            with self.assertRaises(Lost):
                worker.receive()

    def test_calls_follow_each_other(self):
        with start() as worker:
            worker.setup("result <- sum(unlist(args))", ["Number"] * 2)
            for count in (1, 1000, 1, 7):
                columns = [[float(i) for i in range(count)], [1.0] * count]
                self.assertEqual([float(i) + 1 for i in range(count)], worker.call(columns))

    def test_calls_follow_each_other_whatever_their_rows_do(self):
        failed = RowError("simpleError: two (line 1)")
        wrong = RowError(MISMATCH % ("Number", "Text 'three'"))
        with start() as worker:
            worker.setup("if (x == 2) stop('two')\nresult <- if (x == 3) 'three' else x",
                         ["Number"], names=["x"])
            for _ in range(3):
                for column, expected in (([2.0], [failed]), ([3.0], [wrong]), ([], []),
                                         ([1.0, 2.0, 3.0, 4.0], [1.0, failed, wrong, 4.0])):
                    self.assertEqual(expected, worker.call([column]))
            self.assertEqual(0, worker.finish())

    def test_memory_of_converted_texts_is_given_back(self):
        with start() as worker:
            worker.setup("x <- strrep('\\xe9', 1e6)\nEncoding(x) <- 'latin1'\nresult <- x", [],
                         "Text")
            for _ in range(120):
                worker.call()
            with open("/proc/%d/status" % worker.process.pid) as status:
                self.assertLess(int(status.read().split("VmHWM:")[1].split()[0]), 200000)

    def test_call_of_no_rows_is_answered(self):
        with start() as worker:
            worker.setup("result <- 1")
            self.assertEqual([], worker.call(rows=0))

    def test_long_bodies_start_in_time(self):
        lines = ["x%d <- args[[1]] + %d" % (i, i) for i in range(20000)]
        for end, expected in (("result <- x19999", 20000.0), ("", RowError(UNSET)),
                              ("stop('end')", RowError("simpleError: end (line 20001)"))):
            self.assertEqual([expected] * 3, rows("\n".join(lines + [end]), [[1.0] * 3]))

    def test_functions_of_all_standard_packages_are_there_however_they_are_named(self):
        for body in ["sd(c(1, 3))", "{sd <- 3; sd(c(1, 3))}", "sapply(list(c(1, 3)), sd)",
                     "do.call('sd', list(c(1, 3)))", "stats::sd(c(1, 3))", "`sd`(c(1, 3))",
                     "{y <- 'a # b'; sd(c(1, 3))}", "eval(parse(text = 'sd(c(1, 3))'))",
                     "{it <- \"don't\"; sd(c(1, 3))}", "{f <- function(g = sd) g(c(1, 3)); f()}",
                     "match.fun('sd')(c(1, 3))", "Reduce(function(a, b) sd(c(a, b)), list(1, 3))"]:
            self.assertEqual([2.0 ** 0.5], rows("result <- " + body), body)
        for body in ["head(c(1, 2))[1]", "new('numeric', 1)[1]", "isVirtualClass('x')",
                     "nrow(cars) / 50", "length(rgb(0, 0, 0))",
                     "rank(c(1, 1), ties.method = 'random')[1] > 0", "jitter(1) > 0",
                     "length(rle(c(1, 1))$values)", "mean(c(1, 1), trim = 0.5)",
                     "length(split(data.frame(a = 1), ~a))"]:
            self.assertEqual([1.0], rows("result <- as.numeric(%s)" % body), body)

    def test_bodies_of_base_alone_start_without_the_other_packages(self):
        for body in ["args[[1]] + 1", "if (args[[1]] == 0) stop('a bad row') else sqrt(args[[1]])",
                     "paste('sd', \"it's\") # sd(x)", "sum(c(1, NA), na.rm = TRUE)",
                     "{f <- function(n) n + 1; for (i in 1:3) f(i)}"]:
            with start() as worker:
                worker.setup("result <- 1; x <- " + body, ["Number"])
                with open("/proc/%d/maps" % worker.process.pid) as maps:
                    self.assertNotIn("stats.so", maps.read(), body)

    def test_quit_ends_the_worker(self):
        with start() as worker:
            worker.setup("if (args[[1]] == 2) quit(status = 3)\nresult <- 1", ["Number"])
            with self.assertRaises(Lost) as lost:
                worker.call([[1.0, 2.0, 3.0]])
            self.assertEqual([1.0], lost.exception.rows)
            self.assertEqual(3, lost.exception.status)


class Output(Case):
    def test_output_is_apart_and_complete(self):
        with start() as worker:
            worker.setup("cat('out\\n')\nmessage('err')\nprint(1)\nresult <- 1")
            self.assertEqual([1.0], worker.call())
            self.assertEqual(b"out\n[1] 1\n", worker.stdout)
            self.assertEqual(b"err\n", worker.stderr)

    def test_warnings_come_with_their_row(self):
        with start() as worker:
            worker.setup("warning('first')\nresult <- 1").call()
            self.assertEqual(b"Warning in .body(args) : first\n", worker.stderr)

    def test_stdin_is_empty(self):
        self.assertEqual([0.0], rows("result <- length(readLines(file('stdin')))"))

    def test_values_alone_are_not_printed(self):
        with start() as worker:
            worker.setup("5\nresult <- 1").call()
            self.assertEqual(b"", worker.stdout + worker.stderr)


class Heap(Case):
    def test_full_heap_is_emptied_and_no_row_runs_twice(self):
        with start() as worker:
            worker.setup("cat('.')\nresult <- strrep(x, 10e6)", ["Text"], "Text", ["x"])
            got = worker.call([list("abcdefghijklm")])
            self.assertEqual(list("abcdefghijklm"), [text[0] for text in got])
            self.assertEqual({10000000}, {len(text) for text in got})
            self.assertEqual(b"." * 13, worker.stdout)
            self.assertEqual(2, worker.fulls)

    def test_full_heap_of_a_column_is_emptied(self):
        with start() as worker:
            worker.setup("result <- strrep(x, 10e6)", ["Text"], "Text", ["x"], vectorized=True)
            got = worker.call([list("abcdefghijklm")])
            self.assertEqual(list("abcdefghijklm"), [text[0] for text in got])

    def test_full_heap_of_messages_is_emptied(self):
        with start() as worker:
            worker.setup("stop(x)", ["Text"], names=["x"])
            got = worker.call([["a" * 1000] * 40000])
            self.assertEqual({RowError}, set(map(type, got)))
            self.assertEqual(40000, len(got))


class Memory(Case):
    def test_exhausted_memory_is_told_apart(self):
        got = rows("if (x == 1) numeric(1e15)\nresult <- x", [[1.0, 2.0]], names=["x"])
        self.assertEqual([RowError("", MEMORY), 2.0], got)

    def test_endless_recursion_is_an_ordinary_error(self):
        for body in ("f <- function(n) f(n + 1)\nresult <- if (x == 1) f(1) else x",
                     "f <- function(n) sapply(n, f)\nresult <- if (x == 1) f(1) else x"):
            got = rows(body, [[1.0, 2.0]], names=["x"])
            self.assertEqual((ERROR, 2.0), (got[0].status, got[1]))
            self.assertRegex(got[0].message, "stack|nested")


class Files(Case):
    body = ("result <- length(setdiff(list.files('.', all.files = TRUE, no.. = TRUE),\n"
            "                         basename(tempdir()))) + length(list.files(tempdir()))\n"
            "writeLines('a', 'f')\ndir.create('d/e', recursive = TRUE)\n"
            "writeLines('a', tempfile())")

    def test_files_of_a_row_stay_where_the_directory_is_not_the_sandboxs(self):
        for seal in (False, True):
            with tempfile.TemporaryDirectory(dir=SCRATCH) as directory:
                with start(cwd=directory) as worker:
                    worker.setup(self.body, ["Number"], seal=seal)
                    self.assertEqual([0.0, 3.0], worker.call([[0.0, 0.0]]))
                self.assertTrue({"f", "d"} <= set(os.listdir(directory)))

    @unittest.skipUnless(BWRAP, "bwrap is needed")
    def test_files_of_a_row_are_gone_in_a_sandbox(self):
        view = [BWRAP, "--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/usr",
                "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib",
                "--symlink", "usr/lib64", "/lib64", "--ro-bind", "/etc", "/etc", "--proc", "/proc",
                "--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/b", "--ro-bind", DRIVER,
                "/b/driver.R", "--ro-bind", GUEST, "/b/extfn-guest.so", "--unsetenv", "TMPDIR",
                "--chdir", "/tmp"]
        with start(view, "/b/driver.R", "/b/extfn-guest.so") as worker:
            try:
                worker.setup(self.body, ["Number"], own_tmp=True)
            except Lost:
                self.skipTest("bwrap cannot start here: %r" % worker.stderr)
            self.assertEqual([0.0, 0.0, 0.0], worker.call([[0.0] * 3]))


if __name__ == "__main__":
    run_tests()
