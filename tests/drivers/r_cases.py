# What bodies in R give, as tables: (body, columns, expected rows, return type, setup).
# SPDX-License-Identifier: MIT
import math
import struct

from harness import EPOCH, MICROSECOND

UNSET = "function body did not set `result`"
MISMATCH = "return type mismatch: expected %s, got %s"
DATETIME_RANGE = "result out of range: DateTime is in the years 0001 to 9999"
ENUM_RANGE = "result out of range: Enum is 0 to 4294967295, got Number %s"
NOT_UNICODE = "result is not valid Unicode text"
N = math.nan


class Error(str):
    """The message that a row is expected to fail with."""


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
    "error_in_a_branch_without_braces_has_its_line": one(
        "if (FALSE)\n  1 else\n\tif ('é' == 'é') # é\n\t\tstop('in')", Error(
            "simpleError: in (line 4)")),
    "error_in_an_else_without_braces_has_its_line": one(
        "f <- function() {\n if (FALSE)\n  1\n else\n  stop('in')\n}\nf()", Error(
            "simpleError: in (line 5)")),
    "error_in_a_loop_without_braces_has_its_line": one(
        "for (i in 1)\n while (TRUE)\n  repeat\n   stop('in')", Error(
            "simpleError: in (line 4)")),
    "error_in_a_helper_without_braces_has_its_line": one(
        "f <- function(x)\n  g(x)\ng <- function(\n  x)\n\n  stop('in')\nf(1)", Error(
            "simpleError: in (line 6)")),
    "error_inside_a_call_over_lines_has_the_functions_line": one(
        "result <- sapply(\n  1:3,\n  function(i)\n    if (i == 2)\n      stop('in'))", Error(
            "simpleError: in (line 5)")),
    "branches_on_lines_of_their_own_work": one(
        "x <- 3\nif (x > 5)\n\ty <- 'é' else\n y = if (x > 2)\n x else\n 0; z <- y\n"
        "f <- function(a)\n{\n  a\n}\nresult <- f(\n(function(a)\n a + 1)(z))", 4.0),
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


SYNTAX = {
    "unexpected symbol (line 2)": "x <- 1\ny y",
    "unexpected end of input (line 1)": "f(1,",
    "unexpected numeric constant (line 3)": "\r\n\rx <- 5 5",
    "unexpected INCOMPLETE_STRING (line 2)": "\nx <- 'abc",
    "'\\q' is an unrecognized escape in character string starting \"'\\q\" (line 3)":
        "x <- 1\n\nx <- '\\q'\ny <- 2",
    "repeated formal argument 'a' (line 2)": "\nfunction(a, a) 1\n",
    "body is not valid UTF-8 (line 2)": b"x <- 1\nresult <- '\xff'",
    "body holds U+0000, which R does not allow (line 1)": "result <- 1\0",
}
