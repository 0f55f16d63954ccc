/* Functions in WebAssembly: limits, and what rows leave behind. SPDX-License-Identifier: MIT */
#include "support/batch.h"
#include "support/process.h"
#include "support/wasm.h"

#include <pthread.h>

#define MILLISECOND 1000

static void rows_over_their_limit_fail_alone(void **state)
{
    (void)state;
    REQUIRE_WASM();
    static const int64_t rows[] = {50, 300};
    for (size_t i = 0; i < 2; i++) {
        batch run = apply(EXTFN_WASM, "N->N", WASM_TWICE_BUT_SOME, rows[i],
                          (extfn_call_options){.timeout_us = 30 * MILLISECOND});
        assert_int_equal(run.status, EXTFN_OK);
        assert_int_equal(extfn_column_error_count(run.result), i == 0 ? 0 : 4);
        extfn_value value = {0};
        static const int64_t late[] = {70, 71, 130};
        for (size_t k = 0; i == 1 && k < 3; k++)
            assert_string_equal(message_at(&run, late[k], &value), "function timed out after 30ms");
        if (i == 1)
            assert_non_null(strstr(message_at(&run, 140, &value), "unreachable code reached"));
        assert_true(extfn_column_numbers(run.result)[rows[i] - 1] == 2.0 * (double)(rows[i] - 1));
        extfn_value_clear(&value);
        batch_clear(&run);
    }
}

static void one_call_over_its_limit_is_a_timeout(void **state)
{
    (void)state;
    REQUIRE_WASM();
    test_result result = test_run(NULL, EXTFN_WASM, "->N", WASM_ENDLESS, 0.05);
    ASSERT_FAILS(result, EXTFN_ETIMEOUT, "function timed out after 50ms");
    result = test_run(NULL, EXTFN_WASM, "->N",
                      "wat:(module (func $s (loop (br 0))) (start $s)"
                      " (func (export \"improv_call\") (result f64) (f64.const 1)))",
                      0.05);
    ASSERT_FAILS(result, EXTFN_ETIMEOUT, "function timed out after 50ms");
}

static void a_batch_past_its_deadline_has_no_result(void **state)
{
    (void)state;
    REQUIRE_WASM();
    static const char *const bodies[] = {WASM_TWICE_BUT_SOME, WASM_COUNT};
    for (size_t i = 0; i < 2; i++) {
        /* The second one ends each row quickly, and has too many. */
        batch run = apply(EXTFN_WASM, "N->N", bodies[i], i == 0 ? 100 : 20000000,
                          (extfn_call_options){.deadline_us = 40 * MILLISECOND});
        assert_int_equal(run.status, EXTFN_ETIMEOUT);
        assert_string_equal(run.err.message, "function timed out after 40ms");
        assert_null(run.result);
        batch_clear(&run);
    }
}

static void *cancel_soon(void *context)
{
    test_pause();
    extfn_cancel_trigger(context);
    return NULL;
}

static void a_running_call_can_be_canceled(void **state)
{
    (void)state;
    REQUIRE_WASM();
    extfn_cancel *cancel = NULL;
    assert_int_equal(extfn_cancel_new(&cancel, NULL), EXTFN_OK);
    extfn_host *host = test_host(NULL);
    extfn_function *endless = test_function(EXTFN_WASM, "->N", WASM_ENDLESS);
    const extfn_call_options options = {.struct_size = sizeof(options), .cancel = cancel};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, cancel), 0);
    extfn_error err = {0};
    extfn_value value = {0};
    assert_int_equal(extfn_host_eval(host, endless, NULL, 0, &options, &value, &err),
                     EXTFN_ECANCELED);
    assert_string_equal(err.message, "canceled by the host");
    assert_int_equal(pthread_join(thread, NULL), 0);
    extfn_function *quick = test_function(EXTFN_WASM, "->N", WASM_FUNCTION("", "(f64.const 1)"));
    assert_int_equal(extfn_host_eval(host, quick, NULL, 0, &options, &value, &err),
                     EXTFN_ECANCELED);
    extfn_function_unref(quick);
    extfn_function_unref(endless);
    extfn_host_free(host);
    extfn_cancel_free(cancel);
}

static void memory_is_limited_and_the_limit_is_told(void **state)
{
    (void)state;
    REQUIRE_WASM();
    const extfn_host_options small = {.memory_bytes = 8 << 20};
    extfn_host *host = test_host(&small);
    extfn_function *grow = test_function(EXTFN_WASM, "N->N", WASM_GROW);
    static const double pages[] = {127, 128};
    for (size_t i = 0; i < 2; i++) {
        extfn_value arg = extfn_value_number(pages[i]);
        test_result result = test_call(host, grow, &arg, 1, 5);
        if (i == 0)
            ASSERT_NUMBER(result, 1.0);
        else
            ASSERT_FAILS(result, EXTFN_ERUNTIME, "memory limit of 8 MiB reached");
    }
    extfn_function *minimum = test_function(EXTFN_WASM, "->N",
                                            "wat:(module (memory 129) (func (export "
                                            "\"improv_call\") (result f64) (f64.const 1)))");
    test_result result = test_call(host, minimum, NULL, 0, 5);
    ASSERT_FAILS(result, EXTFN_ERUNTIME, "memory limit of 8 MiB reached");
    extfn_function_unref(minimum);
    extfn_function_unref(grow);
    extfn_host_free(host);
}

static void a_refused_growth_that_is_borne_is_no_failure(void **state)
{
    (void)state;
    REQUIRE_WASM();
    test_result result =
        test_run(NULL, EXTFN_WASM, "->N",
                 "wat:(module (memory 1) (func (export \"improv_call\") (result f64)"
                 " (f64.add (f64.convert_i32_s (memory.grow (i32.const 60000)))"
                 "  (f64.convert_i32_s (memory.grow (i32.const 1))))))",
                 5);
    ASSERT_NUMBER(result, 0.0);
}

static void no_row_sees_another(void **state)
{
    (void)state;
    REQUIRE_WASM();
    static const int64_t rows[] = {1, 200};
    for (size_t i = 0; i < 2; i++) {
        batch run = apply(EXTFN_WASM, "N->N", WASM_COUNT, rows[i], (extfn_call_options){0});
        assert_int_equal(run.status, EXTFN_OK);
        for (int64_t row = 0; row < rows[i]; row++)
            assert_true(extfn_column_numbers(run.result)[row] == 2.0);
        assert_int_equal(workers_started(&run), 0);
        batch_clear(&run);
    }
}

static void results_do_not_depend_on_the_chunk_size(void **state)
{
    (void)state;
    REQUIRE_WASM();
    static const int64_t chunks[] = {0, 1, 63, 64, 1000, 100000};
    static const int64_t bad[] = {140};
    extfn_value value = {0};
    char expected[EXTFN_MESSAGE_SIZE] = "";
    for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        batch run = apply(EXTFN_WASM, "N->N",
                          WASM_FUNCTION("(param f64)",
                                        "(if (f64.eq (local.get 0) (f64.const 140)) (then "
                                        "unreachable)) (f64.add (local.get 0) (local.get 0))"),
                          20000, (extfn_call_options){.chunk_rows = chunks[i]});
        if (i == 0)
            memcpy(expected, message_at(&run, 140, &value),
                   strlen(message_at(&run, 140, &value)) + 1);
        assert_doubled_but(&run, 20000, bad, 1, expected);
        batch_clear(&run);
    }
    extfn_value_clear(&value);
}

static void error_arguments_pass_through(void **state)
{
    (void)state;
    REQUIRE_WASM();
    extfn_host *host = test_host(NULL);
    extfn_function *twice = test_function(EXTFN_WASM, "N->N", WASM_TWICE);
    extfn_column *column = count_up(100);
    assert_int_equal(extfn_column_append_error(column, EXTFN_KIND_DIVISION_BY_ZERO, "x", NULL),
                     EXTFN_OK);
    for (int i = 0; i < 100; i++)
        assert_int_equal(extfn_column_append_number(column, i, NULL), EXTFN_OK);
    const extfn_column *columns[] = {column};
    extfn_column *result = NULL;
    assert_int_equal(extfn_host_apply(host, twice, columns, 1, 201, NULL, &result, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_error_count(result), 1);
    assert_true(extfn_column_is_error(result, 100));
    assert_true(extfn_column_numbers(result)[99] == 198.0);
    assert_true(extfn_column_numbers(result)[200] == 198.0);
    extfn_column_free(result);
    extfn_column_free(column);
    extfn_function_unref(twice);
    extfn_host_free(host);
}

/* As many columns as there may be: the loop module is at its largest. */
static void columns_of_many_arguments_are_walked(void **state)
{
    (void)state;
    REQUIRE_WASM();
    char signature[EXTFN_ARGUMENT_LIMIT + 8];
    char body[4096] = "wat:(module (func (export \"improv_call\") (param";
    const extfn_column *columns[EXTFN_ARGUMENT_LIMIT];
    extfn_column *column = count_up(5000);
    for (size_t i = 0; i < EXTFN_ARGUMENT_LIMIT; i++) {
        signature[i] = 'N';
        columns[i] = column;
        memcpy(body + strlen(body), " f64", 5);
    }
    memcpy(signature + EXTFN_ARGUMENT_LIMIT, "->N", 4);
    memcpy(body + strlen(body), ") (result f64) (f64.add (local.get 0) (local.get 63))))", 55);
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(EXTFN_WASM, signature, body);
    extfn_column *result = NULL;
    extfn_error err = {0};
    if (extfn_host_apply(host, function, columns, EXTFN_ARGUMENT_LIMIT, 5000, NULL, &result,
                         &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    assert_true(extfn_column_numbers(result)[4999] == 9998.0);
    extfn_column_free(result);
    extfn_column_free(column);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void a_vectorized_function_is_refused(void **state)
{
    (void)state;
    REQUIRE_WASM();
    batch run = apply(EXTFN_WASM, "N->Nv", WASM_TWICE, 3, (extfn_call_options){0});
    assert_int_equal(run.status, EXTFN_ERUNTIME);
    assert_string_equal(run.err.message,
                        "a Wasm function takes values, not columns: it cannot be vectorized");
    batch_clear(&run);
}

/* The start function would never end. */
static void a_check_runs_nothing(void **state)
{
    (void)state;
    REQUIRE_WASM();
    extfn_host *host = test_host(NULL);
    extfn_function *function =
        test_function(EXTFN_WASM, "->N",
                      "wat:(module (func $s (loop (br 0))) (start $s)"
                      " (func (export \"improv_call\") (result f64) (f64.const 1)))");
    assert_int_equal(extfn_host_check(host, function, NULL, NULL), EXTFN_OK);
    extfn_function_unref(function);
    function = test_function(EXTFN_WASM, "->N", WASM_FUNCTION("", "(i32.const 1)"));
    extfn_error err = {0};
    assert_int_equal(extfn_host_check(host, function, NULL, &err), EXTFN_ERUNTIME);
    assert_non_null(strstr(err.message, "module does not compile: "));
    extfn_function_unref(function);
    extfn_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_over_their_limit_fail_alone),
        cmocka_unit_test(one_call_over_its_limit_is_a_timeout),
        cmocka_unit_test(a_batch_past_its_deadline_has_no_result),
        cmocka_unit_test(a_running_call_can_be_canceled),
        cmocka_unit_test(memory_is_limited_and_the_limit_is_told),
        cmocka_unit_test(a_refused_growth_that_is_borne_is_no_failure),
        cmocka_unit_test(no_row_sees_another),
        cmocka_unit_test(results_do_not_depend_on_the_chunk_size),
        cmocka_unit_test(error_arguments_pass_through),
        cmocka_unit_test(columns_of_many_arguments_are_walked),
        cmocka_unit_test(a_vectorized_function_is_refused),
        cmocka_unit_test(a_check_runs_nothing),
    };
    return cmocka_run_group_tests_name("wasm", tests, NULL, NULL);
}
