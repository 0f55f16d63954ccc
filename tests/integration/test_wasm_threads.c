/* Functions in WebAssembly that many threads call at once. SPDX-License-Identifier: MIT */
#include "support/shared.h"
#include "support/wasm.h"

#include <pthread.h>
#include <stdio.h>

/* The engine's own synchronisation is in code that the thread sanitizer does not see. */
#ifdef __SANITIZE_THREAD__
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
    return "called_from_lib:libextfn_wasm_engine.so\nrace:libextfn_wasm_engine.so\n";
}
#endif

#define THREADS 8
#define CALLS 60

static bool is_right(const shared *all, int i)
{
    extfn_value arg = extfn_value_number(i);
    extfn_value value = {0};
    if (extfn_host_eval(all->host, all->functions[0], &arg, 1, NULL, &value, NULL) != EXTFN_OK ||
        value.as.number != 2.0 * i)
        return false;
    return extfn_host_eval(all->host, all->functions[1], &arg, 1, NULL, &value, NULL) == EXTFN_OK &&
           value.as.number == 2.0;
}

static bool is_column_right(const shared *all)
{
    double numbers[500];
    for (int i = 0; i < 500; i++)
        numbers[i] = i;
    extfn_column *column = NULL;
    extfn_column *result = NULL;
    if (extfn_column_new_numbers(numbers, 500, &column, NULL) != EXTFN_OK)
        return false;
    const extfn_column *columns[] = {column};
    bool is_fine = extfn_host_apply(all->host, all->functions[0], columns, 1, 500, NULL, &result,
                                    NULL) == EXTFN_OK &&
                   extfn_column_numbers(result)[499] == 998.0;
    extfn_column_free(result);
    extfn_column_free(column);
    return is_fine;
}

/* Functions of its own push those that all share out of the cache. */
static bool is_own_right(const shared *all, int i)
{
    char body[128];
    (void)snprintf(body, sizeof(body), WASM_FUNCTION("", "(f64.const %d)"), i);
    const extfn_function_options options = {
        .struct_size = sizeof(options),
        .name = "own",
        .language = EXTFN_WASM,
        .body = body,
        .return_type = EXTFN_NUMBER,
    };
    extfn_function *own = NULL;
    extfn_value value = {0};
    bool is_fine = extfn_function_new(&options, &own, NULL) == EXTFN_OK &&
                   extfn_host_eval(all->host, own, NULL, 0, NULL, &value, NULL) == EXTFN_OK &&
                   value.as.number == i;
    extfn_function_unref(own);
    return is_fine;
}

static bool is_late(const shared *all)
{
    const extfn_call_options options = {.struct_size = sizeof(options), .timeout_us = 10000};
    extfn_value value = {0};
    return extfn_host_eval(all->host, all->functions[2], NULL, 0, &options, &value, NULL) ==
           EXTFN_ETIMEOUT;
}

static void *call_many_times(void *context)
{
    const shared *all = context;
    for (int i = 0; i < CALLS; i++) {
        if (!is_right(all, i))
            return context;
        if (i % 10 == 0 && !is_column_right(all))
            return context;
        if (i % 6 == 0 && !is_own_right(all, i))
            return context;
        if (i == CALLS / 2 && !is_late(all))
            return context;
    }
    return NULL;
}

static void many_threads_call_modules_of_one_host(void **state)
{
    (void)state;
    REQUIRE_WASM();
    shared all = {.host = test_host(NULL)};
    all.functions[0] = test_function(EXTFN_WASM, "N->N", WASM_TWICE);
    all.functions[1] = test_function(EXTFN_WASM, "N->N", WASM_COUNT);
    all.functions[2] = test_function(EXTFN_WASM, "->N", WASM_ENDLESS);
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_many_times, &all), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    for (size_t i = 0; i < 3; i++)
        extfn_function_unref(all.functions[i]);
    extfn_host_free(all.host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_threads_call_modules_of_one_host),
    };
    return cmocka_run_group_tests_name("wasm_threads", tests, NULL, NULL);
}
