# The R driver's promises, one case a sentence. EXTFN_TEST_GUEST is the guest library.
# SPDX-License-Identifier: MIT
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from harness import EPOCH, ERROR, MEMORY, MICROSECOND, SEALED, VERSION
from harness import Failed, Lost, RowError, Worker

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DRIVER = os.path.join(ROOT, "src/lang/r/driver.R")
GUEST = os.environ.get("EXTFN_TEST_GUEST", "")
R = shutil.which("R")
HOME = subprocess.run([R, "RHOME"], capture_output=True, text=True).stdout.strip() if R else ""
BWRAP = shutil.which("bwrap")
# Workers run in a directory of their own, never in /tmp: the driver may clear it when it is sealed.
SCRATCH = tempfile.mkdtemp(prefix="extfn-test-r-")
UNSET = "function body did not set `result`"
MISMATCH = "return type mismatch: expected %s, got %s"
DATETIME_RANGE = "result out of range: DateTime is in the years 0001 to 9999"
ENUM_RANGE = "result out of range: Enum is 0 to 4294967295, got Number %s"
NOT_UNICODE = "result is not valid Unicode text"
N = math.nan


def start(prefix=(), driver=DRIVER, guest=GUEST, cwd=SCRATCH):
    command = [HOME + "/bin/exec/R", "--no-echo", "--no-restore", "--vanilla", "--file=" + driver,
               "--args", guest]
    environment = {"R_HOME": HOME, "LD_LIBRARY_PATH": HOME + "/lib", "TMPDIR": cwd}
    return Worker([*prefix, *command], environment, cwd=cwd)


def rows(body, columns=(), types=None, result="Number", **setup):
    """The results of one call in a worker of its own."""
    types = types or ["Number"] * len(columns)
    with start() as worker:
        return worker.setup(body, types, result, **setup).call(columns)


def same(one, other):
    """Bit for bit, but all NaNs are equal."""
    if isinstance(one, float) and isinstance(other, float):
        return struct.pack("<d", one) == struct.pack("<d", other) or (one != one and other != other)
    return type(one) is type(other) and one == other


class Error(str):
    """The message that a row is expected to fail with."""


class Case(unittest.TestCase):
    def check(self, got, expected, text):
        expected = [RowError(value) if isinstance(value, Error) else value for value in expected]
        fits = len(got) == len(expected) and all(map(same, got, expected))
        self.assertTrue(fits, "%s\n     got %.2000r\nexpected %.2000r" % (text, got, expected))


def table(*tables):
    """Makes a test of each case of the tables."""
    def decorate(cls):
        for cases in tables:
            for name, case in cases.items():
                setattr(cls, "test_" + name, lambda self, case=case: self.run_case(case))
        return cls
    return decorate


def one(body, expected, result="Number", columns=(), **setup):
    return body, columns, [expected], result, setup


def number(body, columns, expected, **setup):
    return body, columns, expected, "Number", setup


def wrong(body, got, result="Number"):
    return one(body, Error(MISMATCH % (result, got)), result)


BODIES = {
    "result_is_assigned_with_an_arrow": one("result <- 1", 1.0),
    "result_is_assigned_with_an_equals_sign": one("result = 1", 1.0),
    "result_is_assigned_to_the_right": one("1 -> result", 1.0),
    "last_value_is_no_result": one("x <- 1", Error(UNSET)),
    "empty_body_sets_no_result": one("", Error(UNSET)),
    "comment_alone_sets_no_result": one("# nothing", Error(UNSET)),
    "body_needs_no_final_newline": one("x <- 1\nresult <- x", 1.0),
    "carriage_returns_are_line_ends": one("x <- 1\r\nresult <- x\rx <- 3\r\n", 1.0),
    "byte_order_mark_is_dropped": one("\ufeffresult <- 1", 1.0),
    "tabs_are_spaces": one("\tif (TRUE)\t{\n\t\tresult\t<-\t1\n\t}", 1.0),
    "args_is_a_list": one("result <- if (is.list(args)) args[[1]] else 0", 7.0, columns=[[7.0]]),
    "named_arguments_are_bound": number("result <- x - y", [[5.0, 1.0], [2.0, 3.0]], [3.0, -2.0],
                                        names=["x", "y"]),
    "unnamed_arguments_stand_between_named_ones": number(
        "result <- x + args[[2]] * y", [[1.0], [2.0], [3.0]], [7.0], names=["x", "", "y"]),
    "names_may_be_functions_of_base": number("result <- c(c, 2)[[1]]", [[5.0]], [5.0], names=["c"]),
    "names_may_be_unicode": number("result <- été", [[5.0]], [5.0], names=["été"]),
    "return_gives_the_result": one("return(3)", 3.0),
    "return_wins_over_result": one("result <- 1\nreturn(3)", 3.0),
    "bare_return_ends_the_body": one("result <- 1\nreturn()\nresult <- 2", 1.0),
    "bare_return_inside_blocks": one(
        "result <- 1\nfor (i in 1:3) { if (i == 2) return(); result <- i }\nresult <- 9", 1.0),
    "bare_return_without_result": one("return()\nresult <- 2", Error(UNSET)),
    "bare_return_of_a_helper_is_its_own": one(
        "f <- function() return()\nresult <- if (is.null(f())) 4 else 5", 4.0),
    "return_of_null_is_null": wrong("return(NULL)", "NULL"),
    "result_set_in_a_handler": one(
        "result <- 0\ntryCatch(stop('a'), error = function(e) result <<- 5)", 5.0),
    "result_set_in_a_handler_alone": one(
        "tryCatch(stop('a'), error = function(e) result <<- 5)", 5.0),
    "result_set_globally_lasts_one_row": number(
        "if (x == 1) result <<- 5", [[1.0, 2.0]], [5.0, Error(UNSET)], names=["x"]),
    "helpers_see_each_other": one(
        "f <- function(n) if (n == 0) 1 else n * g(n)\ng <- function(n) f(n - 1)\nresult <- f(5)",
        120.0),
    "helpers_see_args": one("f <- function() args[[1]] * 2\nresult <- f()", 4.0, columns=[[2.0]]),
    "anonymous_functions_work": one("result <- sum(sapply(1:3, function(i) i^2))", 14.0),
    "strings_keep_their_lines": one("result <- nchar('a\nb\n')", 4.0),
    "empty_subscripts_work": one(
        "m <- diag(2)\nif (FALSE) return()\nresult <- sum(m[1, ])", 1.0),
    "locals_are_fresh_each_row": number(
        "if (!exists('n')) n <- 0\nn <- n + 1\nresult <- n", [[0.0] * 3], [1.0] * 3),
    "args_changed_in_a_row_are_whole_in_the_next": number(
        "args[[1]] <- args[[1]] + 1\nresult <- args[[1]]", [[1.0, 1.0]], [2.0, 2.0]),
    "constants_changed_in_a_row_are_whole_in_the_next": number(
        "v <- c(1, 2)\nv[1] <- v[1] + 1\nresult <- v[1]", [[1.0, 1.0]], [2.0, 2.0]),
    "on_exit_runs": one("on.exit(cat('bye'))\nresult <- 1", 1.0),
    "many_arguments_work": one("result <- sum(unlist(args))", 64.0, columns=[[1.0]] * 64),
    "assigned_tryCatch_harms_nobody": number(
        "assign('tryCatch', function(...) 1, globalenv())\nstop <- 1\nif (x == 2) log('a')\n"
        "result <- x", [[1.0, 2.0, 3.0]],
        [1.0, Error("simpleError: non-numeric argument to mathematical function (line 3)"), 3.0],
        names=["x"]),
    "rm_of_everything_harms_nobody": number(
        "rm(list = ls(all.names = TRUE))\nrm(list = ls(globalenv()), envir = globalenv())\n"
        "result <- 1", [[1.0, 2.0]], [1.0, 1.0]),
    "closed_connections_harm_nobody": one("closeAllConnections()\nresult <- 1", 1.0),
}

ERRORS = {
    "error_has_class_message_and_line": one("x <- 1\n\nstop('nope')", Error(
        "simpleError: nope (line 3)")),
    "error_of_a_builtin_has_its_line": one("x <- 1\ny <- x + 'a'", Error(
        "simpleError: non-numeric argument to binary operator (line 2)")),
    "error_of_a_helper_has_the_inner_line": one(
        "f <- function() {\n  x <- 1\n  stop('in')\n}\nf()", Error("simpleError: in (line 3)")),
    "error_inside_sapply_has_the_inner_line": one(
        "result <- sapply(1, function(i) {\n  stop('in')\n})", Error("simpleError: in (line 2)")),
    "error_in_a_nested_block_has_the_inner_line": one(
        "for (i in 1) {\n  if (TRUE) {\n    stop('in')\n  }\n}", Error("simpleError: in (line 3)")),
    "error_of_base_code_has_the_calling_line": one(
        "x <- 1\nvapply(1:2, function(i) 'a', 1)", Error(
            "simpleError: values must be type 'double',\n"
            " but FUN(X[[1]]) result is type 'character' (line 2)")),
    "error_after_carriage_returns_has_its_line": one("x <- 1\r\ny <- 2\rstop('a')", Error(
        "simpleError: a (line 3)")),
    "error_without_message_is_its_class": one(
        "stop(structure(class = c('mine', 'error', 'condition'), list()))", Error("mine (line 1)")),
    "error_of_a_class_has_the_first_class": one(
        "stop(errorCondition('told', class = 'mine'))", Error("mine: told (line 1)")),
    "unset_variable_is_an_error": one("result <- y", Error(
        "simpleError: object 'y' not found (line 1)")),
    "reading_the_unset_result_is_an_error": one("x <- result", Error(
        "simpleError: object 'result' not found (line 1)")),
    "condition_that_is_no_error_fails_the_row": one(
        "stop(structure(class = 'condition', list(message = 'm', call = NULL)))",
        Error("error: m")),
    "abort_restart_fails_the_row": number(
        "if (x == 1) invokeRestart('abort')\nresult <- x", [[1.0, 2.0]],
        [Error("error"), 2.0], names=["x"]),
    "warning_turned_error_is_an_error": one(
        "options(warn = 2)\nas.integer('x')", Error(
            "simpleError: (converted from warning) NAs introduced by coercion (line 2)")),
    "caught_errors_are_nobodys": one("result <- tryCatch(stop('a'), error = function(e) 2)", 2.0),
    "rows_that_fail_fail_alone": number(
        "if (x %% 2 == 0) stop('even')\nresult <- x", [[1.0, 2.0, 3.0, 4.0]],
        [1.0, Error("simpleError: even (line 1)"), 3.0, Error("simpleError: even (line 1)")],
        names=["x"]),
    "long_messages_are_cut_at_a_character": one(
        "stop(strrep('é', 4000))", Error("simpleError: " + "é" * ((1900 - 13) // 2))),
    "messages_may_have_lines": one("stop('a\nb')", Error("simpleError: a\nb (line 1)")),
    "messages_that_are_no_text_are_told": one("stop(errorCondition('\\xff'))", Error(
        "message is not valid Unicode text")),
}

NUMBERS = [0.0, -0.0, 5e-324, -2.2250738585072014e-308, math.inf, -math.inf, 2.0**53 - 1,
           2.0**53 + 2, 1.7976931348623157e308, 0.1]
NA_BITS = struct.unpack("<d", struct.pack("<Q", 0x7FF00000000007A2))[0]
MOMENTS = [EPOCH + us * MICROSECOND for us in (
    0, 1, -1, 1735787045123456, 253402300799000000, -62135596800000000, 8589934591999999,
    -8589934591999999)]
TEXTS = ["", "abc", "é", "\U0001f600", "a\nb", "\ufeff", "x" * 100000]
VALUES = {
    "numbers_cross_bit_for_bit": number("result <- args[[1]]", [NUMBERS], NUMBERS),
    "nan_of_any_payload_is_nan_and_not_na": number(
        "result <- if (is.nan(x)) x else 0", [[N, NA_BITS]], [N, N], names=["x"]),
    "booleans_cross": ("result <- !x", [[True, False]], [False, True], "Boolean",
                       {"types": ["Boolean"], "names": ["x"]}),
    "boolean_is_logical": ("result <- typeof(x)", [[True]], ["logical"], "Text",
                           {"types": ["Boolean"], "names": ["x"]}),
    "texts_cross": ("result <- x", [TEXTS], TEXTS, "Text", {"types": ["Text"], "names": ["x"]}),
    "moments_cross": ("result <- x", [MOMENTS], MOMENTS, "DateTime",
                      {"types": ["DateTime"], "names": ["x"]}),
    "moment_is_posixct_in_utc": (
        "result <- paste(class(x)[[1]], attr(x, 'tzone'), format(x, '%Y-%m-%d %H:%M:%OS6'))",
        [[EPOCH + 1500000 * MICROSECOND]], ["POSIXct UTC 1970-01-01 00:00:01.500000"], "Text",
        {"types": ["DateTime"], "names": ["x"]}),
    "indices_cross": ("result <- x", [[0, 7, 2**32 - 1]], [0, 7, 2**32 - 1], "Enum",
                      {"types": ["Enum"], "names": ["x"]}),
    "index_is_double": ("result <- typeof(x)", [[1]], ["double"], "Text",
                        {"types": ["Enum"], "names": ["x"]}),
    "types_mix": ("result <- paste(n, b, t, e)", [[1.5, 2.0], [True, False], ["x", "y"], [3, 4]],
                  ["1.5 TRUE x 3", "2 FALSE y 4"], "Text",
                  {"types": ["Number", "Boolean", "Text", "Enum"], "names": ["n", "b", "t", "e"]}),
}

RESULTS = {
    "integer_is_a_number": one("result <- 3L", 3.0),
    "names_do_no_harm": one("result <- c(a = 3)", 3.0),
    "nan_is_a_number": one("result <- 0 / 0", N),
    "real_na_is_no_number": wrong("result <- NA_real_", "NA"),
    "computed_na_is_no_number": wrong("result <- NA_real_ + 0", "NA"),
    "integer_na_is_no_number": wrong("result <- NA_integer_", "NA"),
    "na_is_no_number": wrong("result <- NA", "NA"),
    "null_is_no_number": wrong("result <- NULL", "NULL"),
    "text_is_no_number": wrong("result <- 'abc'", "Text 'abc'"),
    "logical_is_no_number": wrong("result <- TRUE", "Boolean TRUE"),
    "factor_is_no_number": wrong("result <- factor('a')", "factor"),
    "date_is_no_number": wrong("result <- as.Date('2020-01-01')", "Date"),
    "moment_is_no_number": wrong("result <- as.POSIXct(0, origin = '1970-01-01')", "DateTime"),
    "difference_of_times_is_no_number": wrong("result <- as.difftime(1, units = 'secs')",
                                              "difftime"),
    "vector_is_no_number": wrong("result <- c(1, 2, 3)", "double of length 3"),
    "empty_vector_is_no_number": wrong("result <- numeric()", "double of length 0"),
    "list_of_one_is_no_number": wrong("result <- list(1)", "list"),
    "function_is_no_number": wrong("result <- function() 1", "function"),
    "complex_is_no_number": wrong("result <- 1i", "complex"),
    "environment_is_no_number": wrong("result <- new.env()", "environment"),
    "symbol_is_no_number": wrong("result <- quote(a)", "name"),
    "data_frame_is_no_number": wrong("result <- data.frame(a = 1)", "data.frame"),
    "logical_is_a_boolean": one("result <- 1 < 2", True, "Boolean"),
    "na_is_no_boolean": wrong("result <- NA", "NA", "Boolean"),
    "number_is_no_boolean": wrong("result <- 1", "Number 1", "Boolean"),
    "text_may_have_a_class": one("result <- noquote('a')", "a", "Text"),
    "latin1_is_converted": one("x <- '\\xe9'\nEncoding(x) <- 'latin1'\nresult <- x", "é", "Text"),
    "na_is_no_text": wrong("result <- NA_character_", "NA", "Text"),
    "factor_is_no_text": wrong("result <- factor('a')", "factor", "Text"),
    "number_is_no_text": wrong("result <- 5", "Number 5", "Text"),
    "texts_are_no_text": wrong("result <- c('a', 'b')", "character of length 2", "Text"),
    "broken_utf8_is_no_text": one("result <- '\\xff'", Error(NOT_UNICODE), "Text"),
    "surrogates_are_no_text": one("result <- '\\xed\\xa0\\x80'", Error(NOT_UNICODE), "Text"),
    "bytes_are_no_text": one("x <- '\\xe9'\nEncoding(x) <- 'bytes'\nresult <- x",
                             Error(NOT_UNICODE), "Text"),
    "long_text_in_a_message_is_cut": wrong("result <- strrep('a', 100)", "Text '%s'" % ("a" * 60)),
    "text_at_the_limit_fits": one("result <- strrep('a', 2^24)", "a" * 2**24, "Text"),
    "text_over_the_limit_is_too_large": one("result <- strrep('a', 2^24 + 1)", Error(
        "result too large: 17 MiB, the limit is 16 MiB"), "Text"),
    "moment_of_any_zone_is_a_moment": one(
        "result <- as.POSIXct('2025-01-02 03:04:05', tz = 'Asia/Tokyo')",
        EPOCH + 1735754645000000 * MICROSECOND, "DateTime"),
    "moment_without_zone_is_utc": one("result <- as.POSIXct('1970-01-02')",
                                      EPOCH + 86400000000 * MICROSECOND, "DateTime"),
    "integer_moment_is_a_moment": one("result <- structure(5L, class = c('POSIXct', 'POSIXt'))",
                                      EPOCH + 5000000 * MICROSECOND, "DateTime"),
    "moment_is_rounded_to_microseconds": one(
        "result <- as.POSIXct(-0.0000016, origin = '1970-01-01')", EPOCH - 2 * MICROSECOND,
        "DateTime"),
    "date_is_no_moment": wrong("result <- as.Date('2020-01-01')", "Date", "DateTime"),
    "list_of_time_parts_is_no_moment": wrong("result <- as.POSIXlt('2020-01-01')", "POSIXlt",
                                             "DateTime"),
    "number_is_no_moment": wrong("result <- 5", "Number 5", "DateTime"),
    "moments_are_no_moment": wrong("result <- as.POSIXct(c(1, 2), origin = '1970-01-01')",
                                   "DateTime of length 2", "DateTime"),
    "na_is_no_moment": wrong("result <- as.POSIXct(NA)", "NA", "DateTime"),
    "year_10000_is_no_moment": one("result <- as.POSIXct(253402300800, origin = '1970-01-01')",
                                   Error(DATETIME_RANGE), "DateTime"),
    "year_0_is_no_moment": one("result <- as.POSIXct(-62135596801, origin = '1970-01-01')",
                               Error(DATETIME_RANGE), "DateTime"),
    "infinite_moment_is_no_moment": one("result <- as.POSIXct(Inf, origin = '1970-01-01')",
                                        Error(DATETIME_RANGE), "DateTime"),
    "integer_is_an_index": one("result <- 3L", 3, "Enum"),
    "whole_double_is_an_index": one("result <- 4294967295", 4294967295, "Enum"),
    "fraction_is_no_index": wrong("result <- 1.5", "Number 1.5", "Enum"),
    "negative_is_no_index": one("result <- -1", Error(ENUM_RANGE % "-1"), "Enum"),
    "large_is_no_index": one("result <- 4294967296", Error(ENUM_RANGE % "4294967296"), "Enum"),
    "nan_is_no_index": wrong("result <- NaN", "Number NaN", "Enum"),
    "na_is_no_index": wrong("result <- NA_integer_", "NA", "Enum"),
    "logical_is_no_index": wrong("result <- TRUE", "Boolean TRUE", "Enum"),
}


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


def resets(change, probe):
    """A body that looks at something, then changes it: every row must find the same."""
    return "result <- paste(collapse = ' ', as.character(%s))\n%s" % (probe, change)


WORLD = {
    "options": resets("options(digits = 3, mine = 1)",
                      "c(getOption('digits'), is.null(getOption('mine')))"),
    "environment": resets("Sys.setenv(MINE = '1', HOME = '/x=y')\nSys.unsetenv('PATH')",
                          "Sys.getenv(c('MINE', 'HOME', 'PATH'))"),
    "generator_kind": resets("RNGkind('Wichmann-Hill', 'Box-Muller')\nrnorm(1)",
                             "c(rnorm(2), RNGkind())"),
    "attached_packages": resets("library(splines)", "search()"),
    "attached_lists": resets("attach(list(mine = 1))", "c(search(), exists('mine'))"),
    "detached_packages": resets("detach('package:datasets')", "sort(search())"),
    "output_sinks": resets("sink(tempfile())", "sink.number()"),
    "message_sinks": resets("z <- file(tempfile(), 'w')\nsink(z, type = 'message')",
                            "sink.number('message')"),
    "connections": resets("z <- file('/dev/null', 'r')", "nrow(showConnections())"),
    "globals": resets("assign('mine', 1, globalenv())\n.hidden <<- 1",
                      "c(exists('mine'), exists('.hidden'))"),
    "globals_of_the_calling_frame": resets("assign('mine', 1, parent.frame())",
                                           "exists('mine', envir = parent.frame())"),
    "working_directory": resets("setwd('/')", "getwd()"),
    "locale": resets("Sys.setlocale('LC_COLLATE', 'C')\nSys.setlocale('LC_TIME', 'C')",
                     "Sys.getlocale()"),
    "collation": resets("if (capabilities('ICU')) icuSetCollate(locale = 'en')",
                        "sort(c('b', 'A', 'a', 'B'))"),
    "graphics_devices": resets("pdf(tempfile())", "length(dev.list())"),
    "classes": resets("setClass('P', representation(x = 'numeric'))\nz <- new('P', x = 1)",
                      "exists('.__C__P')"),
}


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


SYNTAX = {
    "unexpected symbol (line 2)": "x <- 1\ny y",
    "unexpected end of input (line 1)": "f(1,",
    "unexpected numeric constant (line 3)": "\r\n\rx <- 5 5",
    "unexpected INCOMPLETE_STRING (line 2)": "\nx <- 'abc",
    "'\\q' is an unrecognized escape in character string starting \"'\\q\" (line 3)":
        "x <- 1\n\nx <- '\\q'\ny <- 2",
    "repeated formal argument 'a' (line 2)": "\nfunction(a, a) 1\n",
    "body is not valid UTF-8": b"result <- '\xff'",
    "body holds U+0000, which R does not allow": "result <- 1\0",
}


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

    def test_call_of_no_rows_is_answered(self):
        with start() as worker:
            worker.setup("result <- 1")
            self.assertEqual([], worker.call(rows=0))

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
            self.assertEqual(b"Warning in body(args) : first\n", worker.stderr)

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
                worker.setup(self.body, ["Number"], seal=True)
            except Lost:
                self.skipTest("bwrap cannot start here: %r" % worker.stderr)
            self.assertEqual([0.0, 0.0, 0.0], worker.call([[0.0] * 3]))


if __name__ == "__main__":
    if not R or not GUEST:
        required = os.environ.get("EXTFN_TEST_REQUIRE", "").split(",")
        print("R and EXTFN_TEST_GUEST are needed")
        sys.exit(1 if "r" in required else 77)
    try:
        unittest.main()
    finally:
        shutil.rmtree(SCRATCH)
