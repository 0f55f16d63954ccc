/* Workers that die, or should, while nobody asks anything of them. SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/process.h"

#include <signal.h>

#define CHAIN 6 /* two supervisors, bubblewrap, its init, extfn-enter, interpreter */

static void call_after_kills(extfn_language language, const char *body, bool is_busy)
{
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(language, "->N", body);
    for (int i = 0; i < 4 * CHAIN; i++) {
        test_result result = test_call(host, function, NULL, 0, 10);
        ASSERT_NUMBER(result, 7);
        test_result_clear(&result);
        int pid = test_descendant(1 + i % CHAIN);
        if (pid > 0) /* the worker of the call before may have answered while it died */
            (void)kill(pid, SIGKILL);
        if (is_busy)
            test_pause();
    }
    extfn_function_unref(function);
    extfn_host_free(host);
    assert_true(test_is_childless_within(2));
}

static void the_next_call_works_whatever_was_killed(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    call_after_kills(EXTFN_PYTHON, "result = 7", false);
    call_after_kills(EXTFN_PYTHON, "result = 7", true);
}

static void in_r_too(void **state)
{
    (void)state;
    REQUIRE_R();
    call_after_kills(EXTFN_R, "result <- 7", false);
}

static void in_julia_too(void **state)
{
    (void)state;
    REQUIRE_JULIA();
    call_after_kills(EXTFN_JULIA, "result = 7", false);
}

/* Waits until the supervisor has ended its worker by itself. */
static bool is_ended_within(int supervisor, double seconds)
{
    double until = test_now() + seconds;
    while (test_child_of(supervisor) > 0) {
        if (test_now() > until)
            return false;
        test_pause();
    }
    return true;
}

/* Calls the body, with the numbers from 1 on, `calls` times before it may end. */
static void assert_ended_after(const char *body, int calls, bool is_expected)
{
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", body);
    test_result result = {0};
    for (int i = 1; i <= calls; i++) {
        const extfn_value x = {.type = EXTFN_NUMBER, .as.number = i};
        result = test_call(host, function, &x, 1, 10);
        ASSERT_OK(result);
        test_result_clear(&result);
        assert_true(i == calls || !is_ended_within(test_descendant(2), 0.5));
    }
    bool is_ended = is_ended_within(test_descendant(2), is_expected ? 20 : 3);
    if (is_ended != is_expected)
        fail_msg("%s: %s", body, is_ended ? "ended" : "still there");
    const extfn_value x = {.type = EXTFN_NUMBER, .as.number = 1};
    result = test_call(host, function, &x, 1, 10);
    ASSERT_OK(result);
    test_result_clear(&result);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void assert_ended(const char *body, bool is_expected)
{
    assert_ended_after(body, 1, is_expected);
}

static void a_worker_that_computes_between_calls_is_ended(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    assert_ended("import threading\ndef spin():\n    while True: pass\n"
                 "threading.Thread(target=spin).start()\nresult = 7",
                 true);
    /* The answer first, so that no limit seems to be left. */
    assert_ended("import mmap, os\nmmap.mmap(6, 64 << 20)[4096] = 1\n"
                 "os.write(4, bytes.fromhex('6578666e0100120002000000000000000100000000000000'))\n"
                 "while True: pass",
                 true);
}

/* The host counts on it: of what it has when it is idle for the first time no more than three
 * eighths of its limit are let pass, and an eighth is added. */
static void a_worker_that_keeps_much_memory_is_ended(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    assert_ended("import fractions\nfractions.Fraction.kept = b'x' * (700 << 20)\nresult = 7",
                 true);
    assert_ended("import fractions\nfractions.Fraction.kept = b'x' * (100 << 20)\nresult = 7",
                 false);
    assert_ended_after("import fractions\nfractions.Fraction.kept = b'x' * int(x) * (100 << 20)\n"
                       "result = 7",
                       3, true);
}

static void a_quiet_thread_is_left_alone(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    assert_ended("import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n"
                 "result = 7",
                 false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_next_call_works_whatever_was_killed),
        cmocka_unit_test(in_r_too),
        cmocka_unit_test(in_julia_too),
        cmocka_unit_test(a_worker_that_computes_between_calls_is_ended),
        cmocka_unit_test(a_worker_that_keeps_much_memory_is_ended),
        cmocka_unit_test(a_quiet_thread_is_left_alone),
    };
    return cmocka_run_group_tests_name("deaths", tests, NULL, NULL);
}
