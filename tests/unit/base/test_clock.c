#include "base/clock.h"
#include "support/unit.h"

static void the_earlier_of_two_times_is_one_that_comes(void **state)
{
    (void)state;
    assert_int_equal(xf_clock_earlier(3, 5), 3);
    assert_int_equal(xf_clock_earlier(5, 3), 3);
    assert_int_equal(xf_clock_earlier(-1, 5), 5);
    assert_int_equal(xf_clock_earlier(0, -1), 0);
    assert_int_equal(xf_clock_earlier(-1, -1), -1);
}

static void a_wait_is_rounded_up_and_never_negative_but_for_ever(void **state)
{
    (void)state;
    assert_int_equal(xf_clock_wait_ms(-1), -1);
    assert_int_equal(xf_clock_wait_ms(0), 0);
    assert_int_equal(xf_clock_wait_ms(xf_clock_now()), 0);
    assert_in_range(xf_clock_wait_ms(xf_clock_now() + 10000100), 9000, 10001);
    assert_int_equal(xf_clock_wait_ms(INT64_MAX), INT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_earlier_of_two_times_is_one_that_comes),
        cmocka_unit_test(a_wait_is_rounded_up_and_never_negative_but_for_ever),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
