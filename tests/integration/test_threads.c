/* One host used by many threads. SPDX-License-Identifier: MIT */
#include "support/shared.h"

#include <pthread.h>

static void *call_many_times(void *context)
{
    const shared *all = context;
    for (int i = 0; i < 30; i++) {
        extfn_value arg = extfn_value_number(i);
        extfn_value value = {0};
        if (extfn_host_eval(all->host, all->functions[i % 3], &arg, 1, NULL, &value, NULL) !=
                EXTFN_OK ||
            value.as.number != i * (i % 3 + 1))
            return context;
    }
    return NULL;
}

static void share(const extfn_host_options *options)
{
    shared all = {.host = test_host(options)};
    static const char *const bodies[] = {"result = x", "result = 2 * x", "result = 3 * x"};
    for (size_t i = 0; i < 3; i++)
        all.functions[i] = test_function(EXTFN_PYTHON, "N(x)->N", bodies[i]);
    pthread_t threads[8];
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_many_times, &all), 0);
    for (size_t i = 0; i < 8; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    for (size_t i = 0; i < 3; i++)
        extfn_function_unref(all.functions[i]);
    extfn_host_free(all.host);
}

static void many_threads_share_one_host(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    share(NULL);
}

static void and_its_memory(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    share(&(extfn_host_options){.workers_memory_bytes = 1, .is_spare_kept = true});
}

static void and_its_spare(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    share(&(extfn_host_options){.worker_calls = 20, .is_spare_kept = true});
}

static void a_worker_outlives_the_thread_that_started_it(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    shared all = {.host = test_host(NULL)};
    all.functions[0] = test_function(EXTFN_PYTHON, "N(x)->N", "result = x");
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        void *wrong = NULL;
        assert_int_equal(pthread_create(&thread, NULL, call_once, &all), 0);
        assert_int_equal(pthread_join(thread, &wrong), 0);
        assert_null(wrong);
    }
    shared_end(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_threads_share_one_host),
        cmocka_unit_test(and_its_memory),
        cmocka_unit_test(and_its_spare),
        cmocka_unit_test(a_worker_outlives_the_thread_that_started_it),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
