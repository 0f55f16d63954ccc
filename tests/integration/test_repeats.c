/* Columns whose rows repeat: what comes of them is the same with and without a memo, byte for byte.
 * SPDX-License-Identifier: MIT */
#include "support/memo.h"
#include "support/progress.h"
#include "support/wasm.h"

#include <extfn/queue.h>
#include <math.h>
#include <poll.h>

/* So slow that evaluating a row twice is never worth it. */
#define SLOW "for i in range(3000): pass\n"

typedef struct outcome {
    extfn_column *result;
    extfn_output output;
    extfn_receipt receipt;
} outcome;

static void outcome_clear(outcome *o)
{
    extfn_column_free(o->result);
    extfn_output_clear(&o->output);
}

/* Rows 0, 1, 2 ... below `different`, over and over. */
static extfn_column *repeat(int64_t rows, int64_t different)
{
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_NUMBER, &column, NULL), EXTFN_OK);
    for (int64_t i = 0; i < rows; i++)
        assert_int_equal(extfn_column_append_number(column, (double)(i * 7 % different), NULL),
                         EXTFN_OK);
    return column;
}

static outcome apply_to(extfn_host *host, extfn_function *function, const extfn_column *column,
                        int64_t timeout_us)
{
    outcome o = {.receipt = {.struct_size = sizeof(o.receipt)}};
    const extfn_call_options options = {.struct_size = sizeof(options),
                                        .timeout_us = timeout_us,
                                        .output = &o.output,
                                        .receipt = &o.receipt};
    const extfn_column *columns[] = {column};
    extfn_error err = {0};
    if (extfn_host_apply(host, function, columns, 1, extfn_column_rows(column), &options, &o.result,
                         &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    return o;
}

static void assert_same(const outcome *a, const outcome *b)
{
    int64_t rows = extfn_column_rows(a->result);
    assert_int_equal(extfn_column_rows(b->result), rows);
    for (int64_t row = 0; row < rows; row++) {
        extfn_value left = {0};
        extfn_value right = {0};
        assert_int_equal(extfn_column_get(a->result, row, &left, NULL), EXTFN_OK);
        assert_int_equal(extfn_column_get(b->result, row, &right, NULL), EXTFN_OK);
        assert_int_equal(left.type, right.type);
        if (left.type == EXTFN_NUMBER)
            assert_memory_equal(&left.as.number, &right.as.number, sizeof(double));
        assert_true(extfn_value_is_equal(&left, &right));
        extfn_value_clear(&left);
        extfn_value_clear(&right);
    }
    assert_int_equal(a->output.stdout_size, b->output.stdout_size);
    assert_int_equal(a->output.stderr_size, b->output.stderr_size);
    if (a->output.stdout_size > 0)
        assert_memory_equal(a->output.stdout_data, b->output.stdout_data, a->output.stdout_size);
}

/* Hits of the host with a memo. */
static uint64_t compare(extfn_language language, const char *signature, const char *body,
                        const extfn_column *column, int64_t timeout_us)
{
    extfn_host *plain = test_host(NULL);
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function = test_function(language, signature, body);
    outcome expected = apply_to(plain, function, column, timeout_us);
    outcome got = apply_to(host, function, column, timeout_us);
    assert_same(&expected, &got);
    assert_int_equal(expected.receipt.memo_hits, 0);
    uint64_t hits = got.receipt.memo_hits;
    assert_int_equal(stats_of(host).memo_hits, hits);
    outcome_clear(&expected);
    outcome_clear(&got);
    extfn_function_unref(function);
    extfn_host_free(host);
    extfn_host_free(plain);
    return hits;
}

static void rows_that_repeat_are_evaluated_once(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const int64_t sizes[] = {64, 300, 10000};
    for (size_t i = 0; i < 3; i++) {
        extfn_column *column = repeat(sizes[i], 20);
        uint64_t hits = compare(EXTFN_PYTHON, "N(x)->N", SLOW "result = x / 3", column, 0);
        assert_int_equal(hits, sizes[i] - 20);
        extfn_column_free(column);
    }
}

/* More than the sample shows. */
static void what_comes_after_the_sample_is_looked_at_too(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_column *column = repeat(3000, 20);
    for (int i = 0; i < 3000; i++)
        assert_int_equal(extfn_column_append_number(column, i % 300 + 10, NULL), EXTFN_OK);
    uint64_t hits = compare(EXTFN_PYTHON, "N(x)->T", SLOW "result = str(x)", column, 0);
    assert_int_equal(hits, 6000 - 310);
    extfn_column_free(column);
}

static void where_few_rows_repeat_all_are_evaluated(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_column *column = repeat(1000, 1000);
    assert_int_equal(compare(EXTFN_PYTHON, "N(x)->N", SLOW "result = x", column, 0), 0);
    extfn_column_free(column);
}

static void impure_and_vectorized_rows_are_evaluated_each(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_column *column = repeat(100, 2);
    assert_int_equal(compare(EXTFN_PYTHON, "N(x)->N!", SLOW "result = x", column, 0), 0);
    assert_int_equal(compare(EXTFN_PYTHON, "N(x)->Nv", "result = [i + 1 for i in x]", column, 0),
                     0);
    extfn_column_free(column);
}

static void nothing_that_is_printed_is_lost(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const char *const bodies[] = {
        SLOW "print(x)\nresult = x", SLOW "if x == 19: print(x)\nresult = x",
        SLOW "if x > 250: print(x)\nresult = x", /* behind the sample */
    };
    extfn_column *column = repeat(3000, 20);
    for (int i = 0; i < 3000; i++)
        assert_int_equal(extfn_column_append_number(column, i % 300, NULL), EXTFN_OK);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(compare(EXTFN_PYTHON, "N(x)->N", bodies[i], column, 0), 0);
    extfn_column_free(column);
}

/* Each row that fails fails by itself: the second may have had the time that the first had not. */
static void an_error_is_never_shared(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_column *column = repeat(200, 20);
    const uint64_t failing = 200 / 20;
    uint64_t hits = compare(EXTFN_PYTHON, "N(x)->N", SLOW "result = 1 / (x - 3)", column, 0);
    assert_int_equal(hits, 200 - 20 - (failing - 1));
    hits = compare(EXTFN_PYTHON, "N(x)->N", SLOW "import os\nif x == 3: os._exit(7)\nresult = x",
                   column, 0);
    assert_int_equal(hits, 200 - 20 - (failing - 1));
    extfn_column_free(column);
}

/* Beyond some, all rows go the usual way: what comes of many depends on the rows between them. */
static void rows_that_end_many_workers_are_evaluated_as_ever(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_column *column = repeat(150, 6);
    static const char body[] = SLOW "import os\nif x == 3: os._exit(7)\nresult = x";
    assert_int_equal(compare(EXTFN_PYTHON, "N(x)->N", body, column, 0), 0);
    extfn_column_free(column);
}

/* What is left once the good row between them is taken out is a hundred bad ones in a row. */
static void rows_have_the_neighbours_that_they_have(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_NUMBER, &column, NULL), EXTFN_OK);
    for (int i = 0; i < 212; i++)
        assert_int_equal(extfn_column_append_number(column, i % 2 == 0 ? i : -1, NULL), EXTFN_OK);
    static const char body[] = "if x >= 0:\n    print('y' * 2000000)\nresult = x";
    assert_int_equal(compare(EXTFN_PYTHON, "N(x)->N", body, column, 0), 0);
    extfn_column_free(column);
}

static void a_row_that_hangs_is_its_own_affair(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_column *column = repeat(64, 30);
    uint64_t hits =
        compare(EXTFN_PYTHON, "N(x)->N", SLOW "while x == 3: pass\nresult = x", column, 300000);
    assert_int_equal(hits, 64 - 30 - 1); /* it is there twice */
    extfn_column_free(column);
}

static void rows_with_errors_and_values_that_cannot_be_held_stay_what_they_are(void **state)
{
    (void)state;
    REQUIRE_R();
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_TEXT, &column, NULL), EXTFN_OK);
    for (int i = 0; i < 200; i++) {
        static const char *const texts[] = {"a", "", "\xC3\xA9", "a\0b"};
        static const size_t sizes[] = {1, 0, 2, 3};
        extfn_status status =
            i % 5 == 4 ? extfn_column_append_error(column, EXTFN_KIND_MISSING_INPUT, "none", NULL)
                       : extfn_column_append_text(column, texts[i % 5], sizes[i % 5], NULL);
        assert_int_equal(status, EXTFN_OK);
    }
    static const char body[] = "for (i in 1:3000) i\nresult <- paste0(x, '!')";
    assert_int_equal(compare(EXTFN_R, "T(x)->T", body, column, 0), 3 * 39);
    extfn_column_free(column);
}

static void bits_of_zeros_and_nans_stay_apart(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_NUMBER, &column, NULL), EXTFN_OK);
    const double numbers[] = {0.0, -0.0, (double)NAN, -(double)NAN, (double)INFINITY};
    for (int i = 0; i < 100; i++)
        assert_int_equal(extfn_column_append_number(column, numbers[i % 5], NULL), EXTFN_OK);
    static const char body[] = SLOW "import struct\nresult = struct.pack('<d', x).hex()";
    assert_int_equal(compare(EXTFN_PYTHON, "N(x)->T", body, column, 0), 95);
    extfn_column_free(column);
}

static void modules_are_no_different(void **state)
{
    (void)state;
    REQUIRE_WASM();
    extfn_column *column = repeat(2000, 150);
    static const char body[] =
        WASM_FUNCTION("(param f64)",
                      "(local i32) (local.set 1 (i32.const 100000))"
                      " (if (f64.eq (local.get 0) (f64.const 140)) (then unreachable))"
                      " (loop (br_if 0 (local.tee 1 (i32.sub (local.get 1) (i32.const 1)))))"
                      " (f64.add (local.get 0) (local.get 0))");
    uint64_t hits = compare(EXTFN_WASM, "N->N", body, column, 0);
    assert_int_equal(hits, 2000 - 150 - 13);
    extfn_column_free(column);
}

/* ---- What else there is to a batch ---- */

/* Also where the rows are begun a second time. */
static void progress_only_goes_forward(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const char *const bodies[] = {SLOW "result = x", "result = x",
                                         SLOW "if x == 299: print(x)\nresult = x"};
    for (size_t i = 0; i < 3; i++) {
        extfn_host *host = memo_host((extfn_host_options){0});
        extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", bodies[i]);
        extfn_column *column = repeat(3000, 300);
        progress seen = {.last = 0};
        const extfn_call_options options = {.struct_size = sizeof(options),
                                            .on_progress = note_progress,
                                            .context = &seen};
        const extfn_column *columns[] = {column};
        extfn_column *result = NULL;
        assert_int_equal(extfn_host_apply(host, function, columns, 1, 3000, &options, &result,
                                          NULL),
                         EXTFN_OK);
        assert_int_equal(seen.last, 3000);
        assert_int_equal(seen.total, 3000);
        extfn_column_free(result);
        extfn_column_free(column);
        extfn_function_unref(function);
        extfn_host_free(host);
    }
}

static void a_function_that_does_not_compile_fails_the_batch(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", "result = (");
    extfn_column *column = repeat(100, 2);
    const extfn_column *columns[] = {column};
    extfn_column *result = NULL;
    extfn_error err = {0};
    assert_int_equal(extfn_host_apply(host, function, columns, 1, 100, NULL, &result, &err),
                     EXTFN_ERUNTIME);
    assert_memory_equal(err.message, "SyntaxError", 11);
    assert_null(result);
    extfn_column_free(column);
    extfn_function_unref(function);
    extfn_host_free(host);
}

/* Through the event loop, which watches what the part waits for. */
static void a_submitted_batch_repeats_too(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", SLOW "result = 1 / (x - 3)");
    extfn_column *column = repeat(5000, 20);
    const extfn_column *columns[] = {column};
    extfn_queue *queue = NULL;
    extfn_job *job = NULL;
    assert_int_equal(extfn_queue_new(host, &queue, NULL), EXTFN_OK);
    assert_int_equal(extfn_queue_submit_columns(queue, function, columns, 1, 5000, NULL, NULL, &job,
                                                NULL),
                     EXTFN_OK);
    job = NULL;
    while (!(job = extfn_queue_step(queue))) { /* NOLINT(bugprone-assignment-in-if-condition) */
        struct pollfd ready = {.fd = extfn_queue_descriptor(queue), .events = POLLIN};
        assert_int_equal(poll(&ready, 1, 60000), 1);
    }
    extfn_column *result = NULL;
    assert_int_equal(extfn_job_take_column(job, &result, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_rows(result), 5000);
    assert_int_equal(extfn_column_error_count(result), 250);
    assert_int_equal(stats_of(host).memo_hits, 5000 - 20 - 249);
    extfn_column_free(result);
    extfn_job_free(job);
    extfn_queue_free(queue);
    extfn_column_free(column);
    extfn_function_unref(function);
    extfn_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_repeat_are_evaluated_once),
        cmocka_unit_test(what_comes_after_the_sample_is_looked_at_too),
        cmocka_unit_test(where_few_rows_repeat_all_are_evaluated),
        cmocka_unit_test(impure_and_vectorized_rows_are_evaluated_each),
        cmocka_unit_test(nothing_that_is_printed_is_lost),
        cmocka_unit_test(an_error_is_never_shared),
        cmocka_unit_test(rows_that_end_many_workers_are_evaluated_as_ever),
        cmocka_unit_test(rows_have_the_neighbours_that_they_have),
        cmocka_unit_test(a_row_that_hangs_is_its_own_affair),
        cmocka_unit_test(rows_with_errors_and_values_that_cannot_be_held_stay_what_they_are),
        cmocka_unit_test(bits_of_zeros_and_nans_stay_apart),
        cmocka_unit_test(modules_are_no_different),
        cmocka_unit_test(progress_only_goes_forward),
        cmocka_unit_test(a_function_that_does_not_compile_fails_the_batch),
        cmocka_unit_test(a_submitted_batch_repeats_too),
    };
    return cmocka_run_group_tests_name("repeats", tests, NULL, NULL);
}
