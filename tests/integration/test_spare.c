/* A worker of each language that waits for a function. SPDX-License-Identifier: MIT */
#include "support/batch.h"
#include "support/process.h"

#include <signal.h>

static const extfn_host_options keeping = {.is_spare_kept = true};

static uint64_t started(extfn_host *host)
{
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(host, &stats);
    return stats.workers_started;
}

static void assert_called(extfn_host *host, extfn_language language, const char *signature,
                          const char *body, double expected)
{
    extfn_function *function = test_function(language, signature, body);
    test_result result = test_call(host, function, NULL, 0, 30);
    ASSERT_NUMBER(result, expected);
    test_result_clear(&result);
    extfn_function_unref(function);
}

static const char *const bodies[][2] = {
    [EXTFN_PYTHON] = {"result = 1", "import os\nresult = float(os.getpid() > 0)"},
    [EXTFN_R] = {"result <- 1", "result <- sum(c(0.25, 0.75))"},
    [EXTFN_JULIA] = {"result = 1.0", "result = sum([0.25, 0.75])"},
};

static void serve(extfn_language language)
{
    extfn_host *host = test_host(&keeping);
    assert_called(host, language, "->N", bodies[language][0], 1);
    assert_int_equal(started(host), 2); /* and the spare */
    assert_called(host, language, "->N", bodies[language][0], 1);
    assert_int_equal(started(host), 2); /* a warm one comes first */
    assert_called(host, language, "->N", bodies[language][1], 1);
    assert_int_equal(started(host), 3);
    assert_called(host, language, "->N!", bodies[language][1], 1);
    assert_called(host, language, "->N!", bodies[language][1], 1);
    assert_int_equal(started(host), 5);
    extfn_host_free(host);
    assert_true(test_is_childless_within(2));
}

static void the_next_function_finds_a_worker(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    serve(EXTFN_PYTHON);
}

static void in_r_too(void **state)
{
    (void)state;
    REQUIRE_R();
    serve(EXTFN_R);
}

static void in_julia_too(void **state)
{
    (void)state;
    REQUIRE_JULIA();
    serve(EXTFN_JULIA);
}

static void without_the_option_there_is_none(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_host(NULL);
    assert_called(host, EXTFN_PYTHON, "->N", "result = 1", 1);
    assert_int_equal(started(host), 1);
    extfn_host_free(host);
}

static void one_that_died_is_not_missed(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_host(&keeping);
    int calls = 0;
    for (int depth = 1; depth < 5; depth++) {
        assert_called(host, EXTFN_PYTHON, "->N!", "result = 7", 7);
        calls++;
        double until = test_now() + 5;
        while (test_descendant(depth) <= 0 && test_now() < until)
            test_pause(); /* it is still on its way */
        int pid = test_descendant(depth);
        assert_true(pid > 0);
        (void)kill(pid, SIGKILL);
    }
    assert_called(host, EXTFN_PYTHON, "->N!", "result = 7", 7);
    calls++;
    /* Each call its own and the next spare, but where a kill hit what a supervisor starts for a
     * moment. */
    assert_in_range(started(host), 2 * calls - 2, 2 * calls);
    extfn_host_free(host);
    assert_true(test_is_childless_within(2));
}

static void it_waits_longer_than_a_start_may_take(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host =
        test_host(&(extfn_host_options){.is_spare_kept = true, .start_timeout_us = 1500000});
    assert_called(host, EXTFN_PYTHON, "->N!", "result = 7", 7);
    double until = test_now() + 2.5;
    while (test_now() < until)
        test_pause();
    assert_true(test_descendant(1) > 0);
    assert_called(host, EXTFN_PYTHON, "->N!", "result = 7", 7);
    assert_int_equal(started(host), 3);
    extfn_host_free(host);
}

/* It is the first to go where memory is short, and is not started in the first place where that
 * would end others. */
static void it_makes_room_for_others(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    REQUIRE_R();
    extfn_host *host =
        test_host(&(extfn_host_options){.is_spare_kept = true, .workers_memory_bytes = 1});
    assert_called(host, EXTFN_PYTHON, "->N", "result = 1", 1);
    assert_int_equal(started(host), 1);
    assert_called(host, EXTFN_PYTHON, "->N!", "result = 1", 1);
    assert_int_equal(started(host), 3);
    assert_called(host, EXTFN_R, "->N", "result <- 1", 1);
    assert_int_equal(started(host), 4);
    extfn_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_next_function_finds_a_worker),
        cmocka_unit_test(in_r_too),
        cmocka_unit_test(in_julia_too),
        cmocka_unit_test(without_the_option_there_is_none),
        cmocka_unit_test(one_that_died_is_not_missed),
        cmocka_unit_test(it_waits_longer_than_a_start_may_take),
        cmocka_unit_test(it_makes_room_for_others),
    };
    return cmocka_run_group_tests_name("spare", tests, NULL, NULL);
}
