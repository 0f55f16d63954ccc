/* The contract's sentences for broken limits. SPDX-License-Identifier: MIT */
#include "base/limits.h"

#include "support/unit.h"

static void limits_are_told_in_the_contracts_words(void **state)
{
    (void)state;
    extfn_error err = {0};
    assert_int_equal(xf_fail_timeout(&err, 2500000), EXTFN_ETIMEOUT);
    assert_string_equal(err.message, "function timed out after 2.5s");
    assert_int_equal(xf_fail_start_timeout(&err, 30000000), EXTFN_ETIMEOUT);
    assert_string_equal(err.message, "function start timed out after 30s");
    assert_int_equal(xf_fail_memory(&err, UINT64_C(1) << 30), EXTFN_ERUNTIME);
    assert_string_equal(err.message, "memory limit of 1 GiB reached");
    assert_int_equal(xf_fail_results(&err, UINT64_C(256) << 20), EXTFN_ERUNTIME);
    assert_string_equal(err.message, "results of more than 256 MiB together; apply it to fewer "
                                     "rows at a time");
    assert_int_equal(xf_fail_no_room(&err), EXTFN_ETIMEOUT);
    assert_string_equal(err.message,
                        "the deadline passed while a worker waited for memory that others have");
    assert_int_equal(xf_fail_canceled(&err), EXTFN_ECANCELED);
    assert_string_equal(err.message, "canceled by the host");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_told_in_the_contracts_words),
    };
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
