# The R driver's promises about vectorized bodies. SPDX-License-Identifier: MIT
import math

from harness import RowError
from r_case import start, rows, Case, run_tests
from r_cases import MISMATCH, MOMENTS, N, NA_BITS, NUMBERS, TEXTS, UNSET, Error


class Vectorized(Case):
    def check_rows(self, body, columns, expected, types=None, result="Number"):
        types = types or ["Number"] * len(columns)
        names = list("xyz")[:len(columns)]
        got = rows(body, columns, types, result, names=names, vectorized=True)
        self.check(got, expected, body)

    def test_arguments_are_whole_columns(self):
        self.check_rows("result <- x + args[[2]]", [[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]],
                        [11.0, 22.0, 33.0])

    def test_one_row_is_a_column_of_one(self):
        self.check_rows("result <- x * 2", [[4.0]], [8.0])

    def test_all_types_cross(self):
        for type_name, values in {"Number": NUMBERS, "Boolean": [True, False], "Text": TEXTS,
                                  "DateTime": MOMENTS, "Enum": [0, 7, 2**32 - 1]}.items():
            with self.subTest(type_name):
                self.check_rows("result <- x", [values], values, [type_name], type_name)

    def test_integers_are_numbers(self):
        self.check_rows("result <- as.integer(x)", [[1.0, 2.0]], [1.0, 2.0])

    def test_other_length_fails_all_rows(self):
        self.check_rows("result <- c(x, x, x)[1:3]", [[1.0] * 5], [Error(
            "result has 3 rows, expected 5")] * 5)

    def test_other_type_fails_all_rows(self):
        self.check_rows("result <- as.character(x)", [[1.0] * 2], [Error(
            MISMATCH % ("Number", "character of length 2"))] * 2)

    def test_na_fails_its_row(self):
        self.check_rows("result <- ifelse(x == 2, NA, x)", [[1.0, 2.0, 3.0]], [
            1.0, Error(MISMATCH % ("Number", "NA")), 3.0])

    def test_large_text_fails_its_row(self):
        self.check_rows("result <- strrep('a', x)", [[1.0, 2.0**24 + 1, 2.0]], [
            "a", Error("result too large: 17 MiB, the limit is 16 MiB"), "aa"], result="Text")

    def test_error_fails_all_rows(self):
        self.check_rows("\nif (any(x == 2)) stop('two')\nresult <- x", [[1.0, 2.0]], [Error(
            "simpleError: two (line 2)")] * 2)

    def test_rows_that_lean_on_others_are_refused(self):
        self.check_rows("result <- x - mean(x)", [[1.0, 2.0, 3.0]], [Error(
            "vectorized body does not treat each row alone: row 0 differs")] * 3)
        self.check_rows("result <- cumsum(x)", [[1.0, 2.0, 3.0]], [Error(
            "vectorized body does not treat each row alone: row 2 differs")] * 3)

    def test_nan_agrees_with_nan(self):
        self.check_rows("result <- x - x", [[math.inf, 1.0]], [N, 0.0])

    def test_random_numbers_are_refused(self):
        self.check_rows("result <- x + runif(length(x))", [[1.0, 2.0]], [Error(
            "vectorized body draws random numbers")] * 2)
        self.check_rows("set.seed(1)\nresult <- x + runif(1)", [[1.0]], [Error(
            "vectorized body draws random numbers")])

    def test_missing_result_fails_all_rows(self):
        self.check_rows("y <- x", [[1.0, 2.0]], [Error(UNSET)] * 2)

    def test_world_is_undone_between_calls(self):
        with start() as worker:
            worker.setup("result <- x * 0 + getOption('digits')\noptions(digits = 3)", ["Number"],
                         names=["x"], vectorized=True)
            for _ in range(2):
                self.assertEqual([7.0, 7.0], worker.call([[1.0, 2.0]]))

    def test_calls_follow_each_other_whatever_they_do(self):
        with start() as worker:
            worker.setup("if (x[1] == 2) stop('two')\nresult <- ifelse(x == 3, NA, x)", ["Number"],
                         names=["x"], vectorized=True)
            failed = [RowError("simpleError: two (line 1)")] * 2
            wrong = RowError(MISMATCH % ("Number", "NA"))
            for _ in range(3):
                for column, expected in (([1.0, 5.0], [1.0, 5.0]), ([2.0, 5.0], failed),
                                         ([], []), ([1.0, 3.0, 5.0], [1.0, wrong, 5.0])):
                    self.assertEqual(expected, worker.call([column]))

    def test_long_columns_are_vectors_like_others(self):
        """R reads them where the host put them."""
        count = 5000
        column = [float((i * 7919) % count) for i in range(count)]
        bodies = ["x", "x[seq_along(x)]", "-(-x)", "{x[1] <- x[1] + 0; x}", "rev(rev(x))",
                  "as.vector(matrix(x, ncol = 1))", "unname(c(a = x))",
                  "vapply(x, function(v) v, 1)",
                  "{y <- x; for (i in seq_along(y)) y[[i]] <- x[[i]]; y}", "x + 0 * is.na(x)",
                  "unlist(lapply(x, identity))", "{names(x) <- x; as.vector(x)}",
                  "ifelse(x > 9, x, x)", "unserialize(serialize(x, NULL))", "args[[1]]",
                  "{f <- function() x[1] <<- x[1]; f(); x}", "as.numeric(as.character(x))",
                  "{attr(x, 'mine') <- 1; x}", "replace(x, x > 5, x[x > 5])", "{x[] <- x; x}",
                  "{storage.mode(x) <- 'integer'; x}", "{gc(); x}", "pmax(x, -1)",
                  "cumsum(c(x[1], diff(x)))", "0 * Mod(fft(x)) + x"]
        for body in bodies:
            with self.subTest(body), start() as worker:
                worker.setup("result <- " + body, ["Number"], names=["x"], vectorized=True)
                for values in (column, column[::-1], [NA_BITS] + column[1:]):
                    if values[0] == values[0] or body in ("x", "args[[1]]", "{x[] <- x; x}"):
                        self.check(worker.call([values]), values, body)

    def test_what_is_written_to_a_long_column_is_its_calls_own(self):
        with start() as worker:
            worker.setup("x[x == 1] <- 9\ny <- x\nx[1] <- 5\nresult <- y + 0 * x", ["Number"],
                         names=["x"], vectorized=True)
            column = [float(i % 4) for i in range(2000)]
            for _ in range(3):
                self.check(worker.call([column]), [9.0 if v == 1 else v for v in column], "y")

    def test_nan_is_found_wherever_it_is(self):
        with start() as here, start() as back:
            here.setup("result <- ifelse(is.nan(x), -1, x)", ["Number"], names=["x"],
                       vectorized=True)
            back.setup("result <- x", ["Number"], names=["x"], vectorized=True)
            for count in (1, 2, 3, 8, 9):
                for place in range(count):
                    column = [NA_BITS if row == place else 1.0 for row in range(count)]
                    self.check(back.call([column]), column, "x")
                    column[place] = -1.0
                    self.check(here.call([[NA_BITS if value < 0 else value for value in column]]),
                               column, "is.nan")


if __name__ == "__main__":
    run_tests()
