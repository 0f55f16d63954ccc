/* What a host keeps for calls that are submitted, and for many threads. SPDX-License-Identifier:
 * MIT
 */
#include "support/memo.h"
#include "support/wasm.h"

#include <extfn/queue.h>
#include <poll.h>
#include <pthread.h>

static double step_until_done(extfn_queue *queue)
{
    extfn_job *job = extfn_queue_step(queue);
    while (!job) {
        struct pollfd ready = {.fd = extfn_queue_descriptor(queue), .events = POLLIN};
        assert_int_equal(poll(&ready, 1, 60000), 1);
        job = extfn_queue_step(queue);
    }
    extfn_value value = {0};
    assert_int_equal(extfn_job_take_value(job, &value, NULL), EXTFN_OK);
    extfn_job_free(job);
    return value.as.number;
}

static void submit(extfn_queue *queue, extfn_function *function, double number)
{
    const extfn_value arg = extfn_value_number(number);
    extfn_job *job = NULL;
    assert_int_equal(extfn_queue_submit(queue, function, &arg, 1, NULL, NULL, &job, NULL),
                     EXTFN_OK);
}

/* Alone, and together with others in one batch. */
static void submitted_calls_are_known_too(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", ENTROPY);
    extfn_queue *queue = NULL;
    assert_int_equal(extfn_queue_new(host, &queue, NULL), EXTFN_OK);
    double sums[2] = {0};
    for (size_t i = 0; i < 2; i++) {
        submit(queue, function, 0);
        sums[i] += step_until_done(queue);
        for (int number = 1; number < 10; number++)
            submit(queue, function, number);
        for (int number = 1; number < 10; number++)
            sums[i] += step_until_done(queue);
    }
    assert_true(sums[0] == sums[1]);
    const extfn_stats stats = stats_of(host);
    assert_int_equal(stats.memo_hits, 10);
    assert_int_equal(stats.memo_misses, 10);
    assert_int_equal(stats.memo_entries, 10);
    extfn_queue_free(queue);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void submitted_calls_that_print_are_not_kept(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function =
        test_function(EXTFN_PYTHON, "N(x)->N", "if x == 5: print(x)\nresult = x");
    extfn_queue *queue = NULL;
    assert_int_equal(extfn_queue_new(host, &queue, NULL), EXTFN_OK);
    for (int number = 0; number < 10; number++)
        submit(queue, function, number);
    for (int number = 0; number < 10; number++)
        (void)step_until_done(queue);
    assert_int_equal(stats_of(host).memo_misses, 10);
    assert_int_equal(stats_of(host).memo_entries, 0); /* nobody knows whose output it is */
    extfn_queue_free(queue);
    extfn_function_unref(function);
    extfn_host_free(host);
}

/* m.wasm leads to that file from now on. */
static void lead_to(const char *folder, const char *name)
{
    const char *link = folder_path(folder, "link");
    assert_int_equal(symlink(name, link), 0);
    assert_int_equal(rename(link, folder_path(folder, "m.wasm")), 0);
}

static void submit_constants(extfn_queue *queue, extfn_function *function, int calls)
{
    extfn_job *job = NULL;
    for (int i = 0; i < calls; i++)
        assert_int_equal(extfn_queue_submit(queue, function, NULL, 0, NULL, NULL, &job, NULL),
                         EXTFN_OK);
}

/* Calls are submitted under the first file and evaluated by the second; the path leads back before
 * they end, or after. */
static void evaluate_by_another(const char *folder, int calls, bool is_back_early)
{
    lead_to(folder, "1.wasm");
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function = test_function(EXTFN_WASM, "->N", folder_path(folder, "m.wasm"));
    extfn_queue *queue = NULL;
    assert_int_equal(extfn_queue_new(host, &queue, NULL), EXTFN_OK);
    submit_constants(queue, function, calls);
    lead_to(folder, "2.wasm");
    assert_null(extfn_queue_step(queue)); /* it finds the module */
    if (is_back_early)
        lead_to(folder, "1.wasm");
    for (int i = 0; i < calls; i++)
        assert_true(step_until_done(queue) == 2);
    lead_to(folder, "1.wasm");
    submit_constants(queue, function, 1);
    assert_true(step_until_done(queue) == 1);
    extfn_queue_free(queue);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void values_of_another_module_are_not_kept_for_this_one(void **state)
{
    (void)state;
    REQUIRE_WASM();
    char folder[FOLDER_SIZE];
    folder_open(folder);
    write_constant(folder, "1.wasm", 1);
    write_constant(folder, "2.wasm", 2);
    static const int calls[] = {1, 2, 100}; /* alone, together, and with repeats found */
    for (size_t i = 0; i < 6; i++)
        evaluate_by_another(folder, calls[i / 2], i % 2 == 1);
    folder_close(folder);
}

typedef struct shared {
    extfn_host *host;
    extfn_function *function;
} shared;

static void *call_all(void *context)
{
    const shared *all = context;
    for (int i = 0; i < 200; i++) {
        extfn_value arg = extfn_value_number(i % 20);
        extfn_value value = {0};
        if (extfn_host_eval(all->host, all->function, &arg, 1, NULL, &value, NULL) != EXTFN_OK ||
            value.as.number != 3 * (i % 20))
            return context;
    }
    return NULL;
}

static void threads_share_what_is_known(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    shared all = {.host = memo_host((extfn_host_options){0}),
                  .function = test_function(EXTFN_PYTHON, "N(x)->N", "result = 3 * x")};
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_all, &all), 0);
    for (size_t i = 0; i < 4; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    const extfn_stats stats = stats_of(all.host);
    assert_int_equal(stats.memo_hits + stats.memo_misses, 800);
    assert_int_equal(stats.memo_entries, 20);
    assert_in_range(stats.memo_misses, 20, 80);
    extfn_function_unref(all.function);
    extfn_host_free(all.host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(submitted_calls_are_known_too),
        cmocka_unit_test(submitted_calls_that_print_are_not_kept),
        cmocka_unit_test(values_of_another_module_are_not_kept_for_this_one),
        cmocka_unit_test(threads_share_what_is_known),
    };
    return cmocka_run_group_tests_name("memo_threads", tests, NULL, NULL);
}
