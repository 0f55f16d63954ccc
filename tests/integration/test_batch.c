/* Batches through real workers: order, errors of rows, lost workers.
 * SPDX-License-Identifier: MIT */
#include "support/batch.h"
#include "support/temporary.h"

#include <stdio.h>
#include <stdlib.h>

#define ROWS_LIMIT 100000

static void a_python_column_keeps_order_and_per_row_errors(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run = apply(EXTFN_PYTHON, "N(x)->N",
                      "if x in (0, 777, 99999):\n    raise ValueError('bad row')\nresult = 2 * x",
                      ROWS_LIMIT, (extfn_call_options){.workers = 1});
    static const int64_t bad[] = {0, 777, 99999};
    assert_doubled_but(&run, ROWS_LIMIT, bad, 3, "ValueError: bad row (line 2)");
    assert_int_equal(workers_started(&run), 1);
    batch_clear(&run);
}

static void an_r_column_keeps_order_and_per_row_errors(void **state)
{
    (void)state;
    REQUIRE_R();
    batch run = apply(EXTFN_R, "N(x)->N",
                      "if (x %in% c(0, 777, 99999))\n  stop('bad row')\nresult <- 2 * x",
                      ROWS_LIMIT, (extfn_call_options){.workers = 1});
    static const int64_t bad[] = {0, 777, 99999};
    assert_doubled_but(&run, ROWS_LIMIT, bad, 3, "simpleError: bad row (line 2)");
    assert_int_equal(workers_started(&run), 1);
    batch_clear(&run);
}

static void results_do_not_depend_on_the_chunk_size(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const int64_t sizes[] = {1, 7, 1000, 5000};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        batch run = apply(EXTFN_PYTHON, "N(x)->N",
                          "if x == 13:\n    raise ValueError('bad row')\nresult = 2 * x", 5000,
                          (extfn_call_options){.chunk_rows = sizes[i]});
        static const int64_t bad[] = {13};
        assert_doubled_but(&run, 5000, bad, 1, "ValueError: bad row (line 2)");
        batch_clear(&run);
    }
}

static void a_row_that_hangs_fails_alone(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run =
        apply(EXTFN_PYTHON, "N(x)->N", "while x == 5000 or x == 5001:\n    pass\nresult = 2 * x",
              20000, (extfn_call_options){.timeout_us = 300000, .workers = 1});
    static const int64_t bad[] = {5000, 5001};
    assert_doubled_but(&run, 20000, bad, 2, "function timed out after 300ms");
    assert_int_equal(workers_started(&run), 3);
    batch_clear(&run);
}

static void a_row_that_ends_its_worker_fails_alone(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run = apply(EXTFN_PYTHON, "N(x)->N",
                      "import os\nif x == 3 or x == 19999:\n    os._exit(7)\nresult = 2 * x", 20000,
                      (extfn_call_options){0});
    static const int64_t bad[] = {3, 19999};
    assert_doubled_but(&run, 20000, bad, 2, "function ended its process with exit status 7");
    batch_clear(&run);
}

static void a_row_that_exhausts_memory_fails_alone(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run =
        apply(EXTFN_PYTHON, "N(x)->N", "if x == 50:\n    y = bytearray(2 * 10**9)\nresult = 2 * x",
              100, (extfn_call_options){0});
    static const int64_t bad[] = {50};
    assert_doubled_but(&run, 100, bad, 1, "memory limit of 1 GiB reached");
    batch_clear(&run);
}

static void an_r_row_that_quits_or_exhausts_memory_fails_alone(void **state)
{
    (void)state;
    REQUIRE_R();
    batch run = apply(EXTFN_R, "N(x)->N", "if (x == 50) y <- numeric(3e8)\nresult <- 2 * x", 100,
                      (extfn_call_options){0});
    static const int64_t bad[] = {50};
    assert_doubled_but(&run, 100, bad, 1, "memory limit of 1 GiB reached");
    batch_clear(&run);
    run = apply(EXTFN_R, "N(x)->N", "if (x == 20) quit(status = 4)\nresult <- 2 * x", 100,
                (extfn_call_options){0});
    static const int64_t quits[] = {20};
    assert_doubled_but(&run, 100, quits, 1, "function ended its process with exit status 4");
    batch_clear(&run);
}

static void a_julia_row_that_quits_or_exhausts_memory_fails_alone(void **state)
{
    (void)state;
    REQUIRE_JULIA();
    batch run =
        apply(EXTFN_JULIA, "N(x)->N", "x == 50 && zeros(10^9)\nx == 20 && exit(4)\nresult = 2 * x",
              100, (extfn_call_options){0});
    assert_int_equal(run.status, EXTFN_OK);
    assert_int_equal(extfn_column_error_count(run.result), 2);
    const char *const told[] = {"function ended its process with exit status 4",
                                "memory limit of 1 GiB reached"};
    static const int64_t rows[] = {20, 50};
    for (int i = 0; i < 2; i++) {
        extfn_value value = {0};
        assert_int_equal(extfn_column_get(run.result, rows[i], &value, NULL), EXTFN_OK);
        assert_string_equal(value.as.error.message, told[i]);
        extfn_value_clear(&value);
    }
    batch_clear(&run);
}

/* Two columns: row i is i, but `x` lacks every third row and `y` is an error in every fifth. */
static void error_arguments_pass_through_leftmost_first(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_column *columns[2];
    for (int k = 0; k < 2; k++) {
        assert_int_equal(extfn_column_new(EXTFN_NUMBER, &columns[k], NULL), EXTFN_OK);
        for (int i = 0; i < 3000; i++) {
            extfn_status status =
                i % (k == 0 ? 3 : 5) == 0
                    ? extfn_column_append_error(columns[k],
                                                k == 0 ? EXTFN_KIND_MISSING_INPUT
                                                       : EXTFN_KIND_DIVISION_BY_ZERO,
                                                k == 0 ? "missing input: x" : "division by zero",
                                                NULL)
                    : extfn_column_append_number(columns[k], i, NULL);
            assert_int_equal(status, EXTFN_OK);
        }
    }
    batch run = {.host = test_host(NULL),
                 .function = test_function(EXTFN_PYTHON, "N(x)N(y)->N", "result = x + y")};
    const extfn_column *given[] = {columns[0], columns[1]};
    run.status =
        extfn_host_apply(run.host, run.function, given, 2, 3000, NULL, &run.result, &run.err);
    assert_int_equal(run.status, EXTFN_OK);
    for (int i = 0; i < 3000; i++) {
        extfn_value value = {0};
        assert_int_equal(extfn_column_get(run.result, i, &value, NULL), EXTFN_OK);
        if (i % 3 == 0) {
            assert_int_equal(value.as.error.kind, EXTFN_KIND_MISSING_INPUT);
            assert_string_equal(value.as.error.message, "missing input: x");
        } else if (i % 5 == 0) {
            assert_int_equal(value.as.error.kind, EXTFN_KIND_DIVISION_BY_ZERO);
        } else {
            assert_true(value.type == EXTFN_NUMBER && value.as.number == 2 * i);
        }
        extfn_value_clear(&value);
    }
    extfn_column_free(columns[0]);
    extfn_column_free(columns[1]);
    batch_clear(&run);
}

static void what_is_wrong_with_the_function_fails_the_batch_once(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run =
        apply(EXTFN_PYTHON, "N(x)->N", "x = 1\nresult = = 2", 1000, (extfn_call_options){0});
    assert_int_equal(run.status, EXTFN_ERUNTIME);
    assert_string_equal(run.err.message, "SyntaxError: invalid syntax (line 2)");
    assert_null(run.result);
    assert_int_equal(workers_started(&run), 1);
    batch_clear(&run);
}

static void an_impure_batch_is_one_process_and_no_row_runs_twice(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    char path[TEMPORARY_SIZE];
    int fd = temporary_file(path, sizeof(path), "/tmp");
    assert_true(fd >= 0);
    char body[512];
    (void)snprintf(body, sizeof(body),
                   "import os\n"
                   "with open('%s', 'a') as log:\n    log.write('%%d %%d\\n' %% (x, os.getpid()))\n"
                   "if x == 40:\n    os._exit(1)\n"
                   "if x == 41:\n    print('y' * 2000000)\n"
                   "result = 2 * x",
                   path);
    extfn_host *host = test_trusted_host();
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N!", body);
    extfn_column *column = count_up(100);
    const extfn_column *columns[] = {column};
    extfn_column *result = NULL;
    assert_int_equal(extfn_host_apply(host, function, columns, 1, 100, NULL, &result, NULL),
                     EXTFN_OK);
    assert_int_equal(extfn_column_error_count(result), 2);
    FILE *log = fdopen(fd, "r");
    assert_non_null(log);
    int row = 0;
    int pid = 0;
    int pids[100];
    for (int i = 0; i < 100; i++) {
        assert_int_equal(fscanf(log, "%d %d", &row, &pid), 2);
        assert_int_equal(row, i);
        pids[i] = pid;
    }
    assert_int_equal(fscanf(log, "%d %d", &row, &pid), EOF);
    assert_int_equal(pids[0], pids[40]);
    assert_int_not_equal(pids[40], pids[41]);
    assert_int_equal(pids[42], pids[99]);
    (void)fclose(log);
    (void)unlink(path);
    extfn_column_free(result);
    extfn_column_free(column);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void impure_calls_never_share_a_process_and_pure_ones_do(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const struct {
        const char *signature;
        uint64_t started;
    } cases[] = {{"->N!", 3}, {"->N", 1}};
    for (size_t i = 0; i < 2; i++) {
        extfn_host *host = test_host(NULL);
        extfn_function *function = test_function(EXTFN_PYTHON, cases[i].signature, "result = 1");
        for (int k = 0; k < 3; k++) {
            test_result result = test_call(host, function, NULL, 0, 5);
            ASSERT_NUMBER(result, 1.0);
            test_result_clear(&result);
        }
        extfn_stats stats = {.struct_size = sizeof(stats)};
        extfn_host_stats(host, &stats);
        assert_int_equal(stats.workers_started, cases[i].started);
        extfn_function_unref(function);
        extfn_host_free(host);
    }
}

static void no_rows_and_no_arguments_are_fine(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run = apply(EXTFN_PYTHON, "N(x)->N", "result = x", 0, (extfn_call_options){0});
    assert_int_equal(run.status, EXTFN_OK);
    assert_int_equal(extfn_column_rows(run.result), 0);
    assert_int_equal(workers_started(&run), 0);
    batch_clear(&run);

    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(EXTFN_PYTHON, "->N", "result = 42");
    extfn_column *result = NULL;
    assert_int_equal(extfn_host_apply(host, function, NULL, 0, 3, NULL, &result, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_rows(result), 3);
    assert_true(extfn_column_numbers(result)[2] == 42.0);
    extfn_column_free(result);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void unequal_columns_are_an_invalid_argument(void **state)
{
    (void)state;
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(EXTFN_PYTHON, "NN->N", "result = 1");
    extfn_column *two = count_up(2);
    extfn_column *three = count_up(3);
    const extfn_column *columns[] = {two, three};
    extfn_column *result = NULL;
    extfn_error err = {0};
    assert_int_equal(extfn_host_apply(host, function, columns, 2, 2, NULL, &result, &err),
                     EXTFN_EINVAL);
    assert_string_equal(err.message, "function f: column 1 has 3 rows, expected 2");
    extfn_column_free(two);
    extfn_column_free(three);
    extfn_function_unref(function);
    extfn_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_python_column_keeps_order_and_per_row_errors),
        cmocka_unit_test(an_r_column_keeps_order_and_per_row_errors),
        cmocka_unit_test(results_do_not_depend_on_the_chunk_size),
        cmocka_unit_test(a_row_that_hangs_fails_alone),
        cmocka_unit_test(a_row_that_ends_its_worker_fails_alone),
        cmocka_unit_test(a_row_that_exhausts_memory_fails_alone),
        cmocka_unit_test(a_julia_row_that_quits_or_exhausts_memory_fails_alone),
        cmocka_unit_test(an_r_row_that_quits_or_exhausts_memory_fails_alone),
        cmocka_unit_test(error_arguments_pass_through_leftmost_first),
        cmocka_unit_test(what_is_wrong_with_the_function_fails_the_batch_once),
        cmocka_unit_test(an_impure_batch_is_one_process_and_no_row_runs_twice),
        cmocka_unit_test(impure_calls_never_share_a_process_and_pure_ones_do),
        cmocka_unit_test(no_rows_and_no_arguments_are_fine),
        cmocka_unit_test(unequal_columns_are_an_invalid_argument),
    };
    return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
