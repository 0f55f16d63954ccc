/* Which failure gives the exit status. SPDX-License-Identifier: MIT */
#include "cli/tally.h"
#include "support/unit.h"

static cli_tally tally_of(const extfn_status *statuses, size_t count)
{
    cli_tally tally = {0};
    for (size_t i = 0; i < count; i++)
        cli_tally_count(&tally, statuses[i]);
    return tally;
}

static void a_failure_of_a_function_weighs_most(void **state)
{
    (void)state;
    static const extfn_status statuses[] = {EXTFN_OK, EXTFN_EUNAVAILABLE, EXTFN_ETIMEOUT,
                                            EXTFN_ESANDBOX, EXTFN_OK};
    cli_tally tally = tally_of(statuses, 5);
    assert_int_equal(tally.done, 5);
    assert_int_equal(tally.failed, 3);
    assert_int_equal(tally.worst, EXTFN_ERUNTIME);
}

static void a_missing_sandbox_weighs_more_than_a_missing_language(void **state)
{
    (void)state;
    static const extfn_status statuses[] = {EXTFN_EUNAVAILABLE, EXTFN_ESANDBOX, EXTFN_EUNAVAILABLE};
    assert_int_equal(tally_of(statuses, 1).worst, EXTFN_EUNAVAILABLE);
    assert_int_equal(tally_of(statuses, 3).worst, EXTFN_ESANDBOX);
}

static void success_weighs_nothing(void **state)
{
    (void)state;
    static const extfn_status statuses[] = {EXTFN_OK, EXTFN_OK};
    cli_tally tally = tally_of(statuses, 2);
    assert_int_equal(tally.failed, 0);
    assert_int_equal(tally.worst, EXTFN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_of_a_function_weighs_most),
        cmocka_unit_test(a_missing_sandbox_weighs_more_than_a_missing_language),
        cmocka_unit_test(success_weighs_nothing),
    };
    return cmocka_run_group_tests_name("cli/tally", tests, NULL, NULL);
}
