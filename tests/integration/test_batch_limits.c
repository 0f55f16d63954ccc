/* Batches through real workers: output, vectorized bodies, cancelling, deadline, progress.
 * SPDX-License-Identifier: MIT */
#include "support/batch.h"
#include "support/progress.h"

#include <pthread.h>
#include <time.h>

#define STATEMENT_ROWS 2500

static void output_of_rows_is_capped_a_row_and_kept_for_the_batch(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run = apply(EXTFN_PYTHON, "N(x)->N",
                      "print('z' * (2000000 if x == 30 else 100000))\nresult = 2 * x", 60,
                      (extfn_call_options){0});
    static const int64_t bad[] = {30};
    assert_doubled_but(&run, 60, bad, 1, "output too large");
    assert_int_equal(run.output.stdout_size, 1 << 20);
    batch_clear(&run);
}

static void vectorized_errors_stay_with_their_rows(void **state)
{
    (void)state;
    REQUIRE_R();
    batch run = apply(EXTFN_R, "N(x)->Nv", "if (any(x == 4321)) stop('bad row')\nresult <- 2 * x",
                      10000, (extfn_call_options){0});
    static const int64_t bad[] = {4321};
    assert_doubled_but(&run, 10000, bad, 1, "simpleError: bad row (line 1)");
    batch_clear(&run);
}

static void a_vectorized_body_that_mixes_rows_is_refused(void **state)
{
    (void)state;
    REQUIRE_R();
    batch run = apply(EXTFN_R, "N(x)->Nv", "result <- x - mean(x)", 100, (extfn_call_options){0});
    assert_int_equal(run.status, EXTFN_ERUNTIME);
    assert_non_null(strstr(run.err.message, "does not treat each row alone"));
    batch_clear(&run);
    run = apply(EXTFN_PYTHON, "N(x)->Nv", "m = sum(x) / len(x)\nresult = [v - m for v in x]", 100,
                (extfn_call_options){0});
    assert_int_equal(run.status, EXTFN_ERUNTIME);
    assert_non_null(strstr(run.err.message, "does not treat each row alone"));
    batch_clear(&run);
}

static void large_texts_fill_the_heap_more_than_once(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const extfn_language languages[] = {EXTFN_PYTHON, EXTFN_R, EXTFN_JULIA};
    static const char *const bodies[] = {"result = 'x' * int(3e6 + x)",
                                         "result <- strrep('x', 3e6 + x)",
                                         "result = \"x\" ^ Int(3e6 + x)"};
    for (size_t i = 0; i < 3; i++) {
        if (languages[i] == EXTFN_R)
            REQUIRE_R();
        if (languages[i] == EXTFN_JULIA)
            REQUIRE_JULIA();
        batch run = apply(languages[i], "N(x)->T", bodies[i], 60, (extfn_call_options){0});
        if (run.status != EXTFN_OK)
            fail_msg("%s", run.err.message);
        const int64_t *offsets = extfn_column_text_offsets(run.result);
        for (int64_t row = 0; row < 60; row++)
            assert_int_equal(offsets[row + 1] - offsets[row], 3000000 + row);
        batch_clear(&run);
    }
}

/* The heap is full twice before row 45 prints too much, and the rest is evaluated again. */
static void what_was_printed_before_a_flood_is_there_once(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run = apply(EXTFN_PYTHON, "N(x)->T",
                      "print(int(x))\nif x == 45:\n    print('z' * 2000000)\n"
                      "result = 'x' * 3000000",
                      60, (extfn_call_options){.chunk_rows = 60, .workers = 1});
    assert_int_equal(run.status, EXTFN_OK);
    assert_int_equal(extfn_column_error_count(run.result), 1);
    assert_true(extfn_column_is_error(run.result, 45));
    const char *at = run.output.stdout_data;
    assert_non_null(at);
    for (long row = 0; row <= 45; row++) {
        char *end = NULL;
        assert_int_equal(strtol(at, &end, 10), row);
        assert_int_equal(*end, '\n');
        at = end + 1;
    }
    assert_memory_equal(at, "zzz", 3);
    batch_clear(&run);
}

/* Julia frees nothing that it compiled, and this body is compiled for each row: more and more of
 * the memory is gone, for which no row can be blamed. */
static void many_rows_of_statements_fit_into_little_memory(void **state)
{
    (void)state;
    REQUIRE_JULIA();
    const extfn_host_options options = {.memory_bytes = UINT64_C(64) << 20};
    batch run = apply_in(&options, EXTFN_JULIA, "N(x)->N", "module M\nn = 2\nend\nresult = M.n * x",
                         STATEMENT_ROWS, (extfn_call_options){0});
    assert_doubled_but(&run, STATEMENT_ROWS, NULL, 0, "");
    batch_clear(&run);
}

/* ---- Cancel, deadline, progress ---- */

static void *cancel_soon(void *cancel)
{
    const struct timespec wait = {.tv_nsec = 200000000};
    (void)nanosleep(&wait, NULL);
    extfn_cancel_trigger(cancel);
    return NULL;
}

static void a_cancelled_batch_ends_without_a_result(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_cancel *cancel = NULL;
    assert_int_equal(extfn_cancel_new(&cancel, NULL), EXTFN_OK);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, cancel), 0);
    batch run = apply(EXTFN_PYTHON, "N(x)->N", "import time\ntime.sleep(60)\nresult = x", 10,
                      (extfn_call_options){.timeout_us = 120000000, .cancel = cancel});
    assert_int_equal(run.status, EXTFN_ECANCELED);
    assert_null(run.result);
    assert_int_equal(pthread_join(thread, NULL), 0);
    batch_clear(&run);
    /* It holds for later calls too. */
    run = apply(EXTFN_PYTHON, "N(x)->N", "result = x", 10, (extfn_call_options){.cancel = cancel});
    assert_int_equal(run.status, EXTFN_ECANCELED);
    batch_clear(&run);
    extfn_cancel_free(cancel);
}

static void a_batch_without_anything_to_evaluate_ends_as_well(void **state)
{
    (void)state;
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(EXTFN_PYTHON, "N->N", "result = 1");
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_NUMBER, &column, NULL), EXTFN_OK);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(extfn_column_append_error(column, EXTFN_KIND_MISSING_INPUT, "none", NULL),
                         EXTFN_OK);
    extfn_cancel *cancel = NULL;
    assert_int_equal(extfn_cancel_new(&cancel, NULL), EXTFN_OK);
    extfn_cancel_trigger(cancel);
    const extfn_column *columns[] = {column};
    extfn_column *result = NULL;
    extfn_error err = {0};
    extfn_call_options options = {.struct_size = sizeof(options), .cancel = cancel};
    assert_int_equal(extfn_host_apply(host, function, columns, 1, 1000, &options, &result, &err),
                     EXTFN_ECANCELED);
    options = (extfn_call_options){.struct_size = sizeof(options), .deadline_us = 1};
    assert_int_equal(extfn_host_apply(host, function, columns, 1, 1000, &options, &result, &err),
                     EXTFN_ETIMEOUT);
    assert_memory_equal(err.message, "function timed out after ", 25);
    assert_null(result);
    extfn_cancel_free(cancel);
    extfn_column_free(column);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void a_batch_past_its_deadline_is_a_timeout(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run = apply(EXTFN_PYTHON, "N(x)->N", "import time\ntime.sleep(0.05)\nresult = x", 1000,
                      (extfn_call_options){.deadline_us = 1500000});
    assert_int_equal(run.status, EXTFN_ETIMEOUT);
    assert_string_equal(run.err.message, "function timed out after 1.5s");
    assert_null(run.result);
    batch_clear(&run);
}

static void progress_grows_to_the_number_of_rows(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    progress seen = {.last = 0};
    batch run = apply(EXTFN_PYTHON, "N(x)->N", "result = 2 * x", 10000,
                      (extfn_call_options){.chunk_rows = 1000,
                                           .workers = 1,
                                           .on_progress = note_progress,
                                           .context = &seen});
    assert_doubled_but(&run, 10000, NULL, 0, NULL);
    assert_int_equal(seen.last, 10000);
    assert_int_equal(seen.total, 10000);
    assert_int_equal(seen.calls, 10);
    batch_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_of_rows_is_capped_a_row_and_kept_for_the_batch),
        cmocka_unit_test(vectorized_errors_stay_with_their_rows),
        cmocka_unit_test(a_vectorized_body_that_mixes_rows_is_refused),
        cmocka_unit_test(large_texts_fill_the_heap_more_than_once),
        cmocka_unit_test(what_was_printed_before_a_flood_is_there_once),
        cmocka_unit_test(many_rows_of_statements_fit_into_little_memory),
        cmocka_unit_test(a_cancelled_batch_ends_without_a_result),
        cmocka_unit_test(a_batch_without_anything_to_evaluate_ends_as_well),
        cmocka_unit_test(a_batch_past_its_deadline_is_a_timeout),
        cmocka_unit_test(progress_grows_to_the_number_of_rows),
    };
    return cmocka_run_group_tests_name("batch_limits", tests, NULL, NULL);
}
