/* Batches that several workers share: the results are those of one worker, in the same order.
 * SPDX-License-Identifier: MIT */
#include "support/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t worker_counts[] = {1, 2, 8};
#define COUNTS (sizeof(worker_counts) / sizeof(worker_counts[0]))

/* Long enough that others are worth their start. */
#define SLOWLY "import time\ntime.sleep(0.0005)\n"

static void rows_are_shared_and_stay_in_order(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    for (size_t i = 0; i < COUNTS; i++) {
        batch run =
            apply(EXTFN_PYTHON, "N(x)->N",
                  SLOWLY "if x in (0, 777, 1999):\n    raise ValueError('bad row')\nresult = 2 * x",
                  2000, (extfn_call_options){.workers = worker_counts[i]});
        static const int64_t bad[] = {0, 777, 1999};
        assert_doubled_but(&run, 2000, bad, 3, "ValueError: bad row (line 4)");
        if (worker_counts[i] == 1)
            assert_int_equal(workers_started(&run), 1);
        else
            assert_in_range(workers_started(&run), 2, worker_counts[i]);
        batch_clear(&run);
    }
}

static void assert_text_row(const extfn_column *result, int64_t row)
{
    char expected[64];
    (void)snprintf(expected, sizeof(expected), "<%lld>", (long long)row);
    extfn_value value = {0};
    assert_int_equal(extfn_column_get(result, row, &value, NULL), EXTFN_OK);
    if (row % 100 == 7) {
        assert_int_equal(value.type, EXTFN_ERROR);
    } else {
        assert_int_equal(value.type, EXTFN_TEXT);
        assert_string_equal(value.as.text.data, expected);
    }
    extfn_value_clear(&value);
}

static void texts_and_errors_of_several_workers_are_put_together(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    for (size_t i = 0; i < COUNTS; i++) {
        batch run = apply(EXTFN_PYTHON, "N(x)->T",
                          SLOWLY "if x % 100 == 7:\n    raise KeyError(x)\nresult = f'<{int(x)}>'",
                          2000, (extfn_call_options){.workers = worker_counts[i]});
        assert_int_equal(run.status, EXTFN_OK);
        assert_int_equal(extfn_column_rows(run.result), 2000);
        assert_int_equal(extfn_column_error_count(run.result), 20);
        for (int64_t row = 0; row < 2000; row++)
            assert_text_row(run.result, row);
        batch_clear(&run);
    }
}

static void rows_that_kill_or_hang_fail_alone_for_any_number_of_workers(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const int64_t bad[] = {3, 1500, 9000, 9001, 19999};
    for (size_t i = 0; i < COUNTS; i++) {
        batch run =
            apply(EXTFN_PYTHON, "N(x)->N",
                  "while x in (3, 1500, 9000, 9001, 19999):\n    pass\nresult = 2 * x", 20000,
                  (extfn_call_options){.workers = worker_counts[i], .timeout_us = 200000});
        assert_doubled_but(&run, 20000, bad, 5, "function timed out after 200ms");
        batch_clear(&run);
    }
}

/* Whole spans have nothing to evaluate, at the beginning, in the middle and at the end. */
static void rows_that_are_errors_already_take_no_worker(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_NUMBER, &column, NULL), EXTFN_OK);
    for (int row = 0; row < 3000; row++) {
        bool is_error = row < 500 || (row > 1000 && row < 2500) || row > 2900;
        extfn_status status =
            is_error ? extfn_column_append_error(column, EXTFN_KIND_MISSING_INPUT, "none", NULL)
                     : extfn_column_append_number(column, row, NULL);
        assert_int_equal(status, EXTFN_OK);
    }
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", SLOWLY "result = 2 * x");
    for (size_t i = 0; i < COUNTS; i++) {
        const extfn_call_options options = {.struct_size = sizeof(options),
                                            .workers = worker_counts[i]};
        const extfn_column *columns[] = {column};
        extfn_column *result = NULL;
        assert_int_equal(extfn_host_apply(host, function, columns, 1, 3000, &options, &result,
                                          NULL),
                         EXTFN_OK);
        assert_int_equal(extfn_column_rows(result), 3000);
        for (int64_t row = 0; row < 3000; row++) {
            assert_int_equal(extfn_column_is_error(result, row),
                             extfn_column_is_error(column, row));
            if (!extfn_column_is_error(column, row))
                assert_true(extfn_column_numbers(result)[row] == 2 * (double)row);
        }
        extfn_column_free(result);
    }
    extfn_function_unref(function);
    extfn_host_free(host);
    extfn_column_free(column);
}

static void what_rows_print_comes_in_their_order(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run = apply(EXTFN_PYTHON, "N(x)->N", SLOWLY "print(int(x))\nresult = 2 * x", 1000,
                      (extfn_call_options){.workers = 4});
    assert_doubled_but(&run, 1000, NULL, 0, NULL);
    const char *at = run.output.stdout_data;
    assert_non_null(at);
    for (long row = 0; row < 1000; row++) {
        char *end = NULL;
        assert_int_equal(strtol(at, &end, 10), row);
        assert_int_equal(*end, '\n');
        at = end + 1;
    }
    batch_clear(&run);
}

/* Rows that cannot be evaluated are decided while they are handed out, here before any other worker
 * is worth its start. */
static void rows_that_are_not_evaluated_hold_up_no_worker(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    for (size_t i = 0; i < COUNTS; i++) {
        batch run = {.host = test_host(NULL),
                     .function = test_function(EXTFN_PYTHON, "N(x)->N",
                                               SLOWLY "print(int(x))\nresult = 2 * x")};
        extfn_column *column = NULL;
        assert_int_equal(extfn_column_new(EXTFN_NUMBER, &column, NULL), EXTFN_OK);
        int64_t bad[40];
        for (int64_t row = 0; row < 1000; row++) {
            const extfn_value value = extfn_value_number((double)row);
            bool is_bad = row >= 10 && row < 50;
            if (is_bad)
                bad[row - 10] = row;
            assert_int_equal(is_bad ? extfn_column_append_error(column, EXTFN_KIND_MISSING_INPUT,
                                                                "missing input: x", NULL)
                                    : extfn_column_append(column, &value, NULL),
                             EXTFN_OK);
        }
        const extfn_column *columns[] = {column};
        const extfn_call_options options = {.struct_size = sizeof(options),
                                            .chunk_rows = 10,
                                            .workers = worker_counts[i],
                                            .output = &run.output};
        run.status = extfn_host_apply(run.host, run.function, columns, 1, 1000, &options,
                                      &run.result, &run.err);
        assert_doubled_but(&run, 1000, bad, 40, "missing input: x");
        assert_non_null(run.output.stdout_data);
        assert_memory_equal(run.output.stdout_data, "0\n1\n", 4);
        assert_non_null(strstr(run.output.stdout_data, "\n999\n"));
        extfn_column_free(column);
        batch_clear(&run);
    }
}

static void few_slow_rows_are_shared(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run = apply(EXTFN_PYTHON, "N(x)->N", "import time\ntime.sleep(0.1)\nresult = 2 * x", 24,
                      (extfn_call_options){.workers = 2});
    assert_doubled_but(&run, 24, NULL, 0, NULL);
    assert_int_equal(workers_started(&run), 2);
    batch_clear(&run);
}

static void a_function_that_does_not_compile_starts_one_worker(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run =
        apply(EXTFN_PYTHON, "N(x)->N", "result = = 1", 100000, (extfn_call_options){.workers = 8});
    assert_int_equal(run.status, EXTFN_ERUNTIME);
    assert_int_equal(workers_started(&run), 1);
    batch_clear(&run);
}

static void a_short_batch_starts_one_worker(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run =
        apply(EXTFN_PYTHON, "N(x)->N", "result = 2 * x", 1000, (extfn_call_options){.workers = 8});
    assert_doubled_but(&run, 1000, NULL, 0, NULL);
    assert_int_equal(workers_started(&run), 1);
    batch_clear(&run);
}

/* No uid but one is free for sandboxes of a root host: the second worker cannot start. */
static void a_worker_that_cannot_start_is_done_without(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    XF_TEST_REQUIRE("root", geteuid() == 0);
    const extfn_host_options one_uid = {.uid_first = 1999999000, .uid_count = 1};
    batch run = apply_in(&one_uid, EXTFN_PYTHON, "N(x)->N", SLOWLY "result = 2 * x", 1000,
                         (extfn_call_options){.workers = 4});
    assert_doubled_but(&run, 1000, NULL, 0, NULL);
    batch_clear(&run);
}

static void more_workers_than_anybody_needs_are_refused(void **state)
{
    (void)state;
    batch run =
        apply(EXTFN_PYTHON, "N(x)->N", "result = x", 1, (extfn_call_options){.workers = 100000});
    assert_int_equal(run.status, EXTFN_EINVAL);
    batch_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_shared_and_stay_in_order),
        cmocka_unit_test(texts_and_errors_of_several_workers_are_put_together),
        cmocka_unit_test(rows_that_kill_or_hang_fail_alone_for_any_number_of_workers),
        cmocka_unit_test(rows_that_are_errors_already_take_no_worker),
        cmocka_unit_test(what_rows_print_comes_in_their_order),
        cmocka_unit_test(rows_that_are_not_evaluated_hold_up_no_worker),
        cmocka_unit_test(few_slow_rows_are_shared),
        cmocka_unit_test(a_function_that_does_not_compile_starts_one_worker),
        cmocka_unit_test(a_short_batch_starts_one_worker),
        cmocka_unit_test(a_worker_that_cannot_start_is_done_without),
        cmocka_unit_test(more_workers_than_anybody_needs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
