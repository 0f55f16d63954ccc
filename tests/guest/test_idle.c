/* When a worker that has nothing to do is restless. SPDX-License-Identifier: MIT */
#include "guest/supervise/idle.h"
#include "support/unit.h"

#define SECOND UINT64_C(1000000)
#define TICK (SECOND / 4)

/* Idle from second 10 to second 70, with `share` percent of a processor; whether it was ended, and
 * when. */
static bool is_ended(uint64_t share, uint64_t *ret_after_us, int *ret_looks)
{
    xf_idle idle = {0};
    *ret_looks = 0;
    for (uint64_t at = 0; at <= 60 * SECOND; at += TICK) {
        uint64_t now_us = 10 * SECOND + at;
        if (!xf_idle_is_due(&idle, true, 1, now_us))
            continue;
        (*ret_looks)++;
        *ret_after_us = at;
        if (xf_idle_judge(&idle, now_us, 5 * SECOND + at * share / 100))
            return true;
    }
    return false;
}

static void a_spinning_thread_is_noticed_soon(void **state)
{
    (void)state;
    uint64_t after_us;
    int looks;
    assert_true(is_ended(100, &after_us, &looks));
    assert_true(after_us <= SECOND);
    assert_true(is_ended(10, &after_us, &looks));
    assert_true(after_us <= 4 * SECOND);
}

static void a_quiet_worker_is_seldom_looked_at(void **state)
{
    (void)state;
    uint64_t after_us;
    int looks;
    assert_false(is_ended(0, &after_us, &looks));
    assert_false(is_ended(1, &after_us, &looks));
    assert_in_range(looks, 15, 25);
}

static void only_a_limit_makes_idle_time_end(void **state)
{
    (void)state;
    xf_idle idle = {0};
    (void)xf_idle_is_due(&idle, true, 1, 10 * SECOND);
    (void)xf_idle_is_due(&idle, true, 1, 12 * SECOND);
    assert_false(xf_idle_is_over(&idle, 70 * SECOND, 0));
    assert_false(xf_idle_is_over(&idle, 70 * SECOND - 1, 60 * SECOND));
    assert_true(xf_idle_is_over(&idle, 70 * SECOND, 60 * SECOND));
    (void)xf_idle_is_due(&idle, false, 1, 71 * SECOND);
    assert_false(xf_idle_is_over(&idle, 200 * SECOND, 60 * SECOND));
}

static void a_call_in_between_starts_anew(void **state)
{
    (void)state;
    xf_idle idle = {0};
    uint64_t cpu_us = 0;
    for (uint64_t now_us = SECOND; now_us < 60 * SECOND; now_us += TICK) {
        bool is_idle = now_us / TICK % 2 == 0;
        cpu_us += is_idle ? 0 : TICK;
        if (xf_idle_is_due(&idle, is_idle, 1, now_us))
            assert_false(xf_idle_judge(&idle, now_us, cpu_us));
    }
}

/* Calls that are shorter than the time between two looks. */
static void a_call_that_no_look_saw_starts_anew(void **state)
{
    (void)state;
    xf_idle idle = {0};
    uint32_t call = 0;
    for (uint64_t now_us = SECOND; now_us < 60 * SECOND; now_us += TICK) {
        if (xf_idle_is_due(&idle, true, ++call, now_us))
            assert_false(xf_idle_judge(&idle, now_us, now_us));
        assert_false(xf_idle_is_over(&idle, now_us, SECOND));
    }
}

#define MIB (UINT64_C(1) << 20)

static void what_may_be_kept_is_what_is_there_and_some_more(void **state)
{
    (void)state;
    assert_int_equal(xf_idle_settle(1024 * MIB, 20 * MIB), (20 + 128) * MIB);
    assert_int_equal(xf_idle_settle(1024 * MIB, 900 * MIB), (384 + 128) * MIB);
    assert_int_equal(xf_idle_settle(128 * MIB, 20 * MIB), (20 + 64) * MIB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spinning_thread_is_noticed_soon),
        cmocka_unit_test(a_quiet_worker_is_seldom_looked_at),
        cmocka_unit_test(only_a_limit_makes_idle_time_end),
        cmocka_unit_test(a_call_in_between_starts_anew),
        cmocka_unit_test(a_call_that_no_look_saw_starts_anew),
        cmocka_unit_test(what_may_be_kept_is_what_is_there_and_some_more),
    };
    return cmocka_run_group_tests_name("idle", tests, NULL, NULL);
}
