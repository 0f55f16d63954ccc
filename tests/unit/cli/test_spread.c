/* How numbers and datetimes lie. SPDX-License-Identifier: MIT */
#include "cli/alloc.h"
#include "cli/spread.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void free_steps(cli_spread_step **slot)
{
    cli_free(*slot);
}

static void add(cli_spread *spread, double number)
{
    extfn_value value = extfn_value_number(number);
    extfn_error err = {0};
    assert_int_equal(cli_spread_add(spread, &value, &err), EXTFN_OK);
}

static double median_of(const cli_spread *spread)
{
    CLI_AUTO(free_steps) cli_spread_step *steps = NULL;
    extfn_error err = {0};
    assert_int_equal(cli_spread_list(spread, &steps, &err), EXTFN_OK);
    return (double)cli_spread_median(spread, steps);
}

static void few_values_are_known_exactly(void **state)
{
    (void)state;
    CLI_AUTO(cli_spread_clear) cli_spread spread = {.type = EXTFN_NUMBER};
    static const double numbers[] = {3, -1.5, 7, 3, 0.1};
    for (size_t i = 0; i < 5; i++)
        add(&spread, numbers[i]);
    assert_int_equal(spread.count, 5);
    assert_int_equal(spread.used, 4);
    assert_int_equal(spread.shift, 0);
    assert_true((double)cli_spread_min(&spread) == -1.5);
    assert_true((double)cli_spread_max(&spread) == 7);
    assert_true(fabs((double)cli_spread_mean(&spread) - 2.32) < 1e-12);
    assert_true(median_of(&spread) == 3);
    add(&spread, 100);
    add(&spread, 200);
    add(&spread, 4);
    assert_true(median_of(&spread) == 3.5);
}

static void groups_are_listed_in_the_order_of_values(void **state)
{
    (void)state;
    CLI_AUTO(cli_spread_clear) cli_spread spread = {.type = EXTFN_NUMBER};
    static const double numbers[] = {5e-324, -5e-324, 0.0, -0.0, 1, -1, DBL_MAX, -DBL_MAX};
    static const double sorted[] = {-DBL_MAX, -1, -5e-324, 0, 5e-324, 1, DBL_MAX};
    for (size_t i = 0; i < 8; i++)
        add(&spread, numbers[i]);
    CLI_AUTO(free_steps) cli_spread_step *steps = NULL;
    extfn_error err = {0};
    assert_int_equal(cli_spread_list(&spread, &steps, &err), EXTFN_OK);
    assert_int_equal(spread.used, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_true((double)steps[i].value == sorted[i]);
        assert_int_equal(steps[i].count, i == 3 ? 2 : 1);
    }
}

static void what_is_not_finite_is_counted_apart(void **state)
{
    (void)state;
    CLI_AUTO(cli_spread_clear) cli_spread spread = {.type = EXTFN_NUMBER};
    add(&spread, (double)NAN);
    add(&spread, (double)INFINITY);
    add(&spread, (double)INFINITY);
    add(&spread, -(double)INFINITY);
    assert_int_equal(spread.nans, 1);
    assert_int_equal(spread.positive_infinities, 2);
    assert_int_equal(spread.negative_infinities, 1);
    assert_int_equal(spread.count, 0);
    CLI_AUTO(free_steps) cli_spread_step *steps = NULL;
    extfn_error err = {0};
    assert_int_equal(cli_spread_list(&spread, &steps, &err), EXTFN_OK);
    assert_int_equal(spread.used, 0);
}

static void a_sum_beyond_the_largest_number_has_a_mean(void **state)
{
    (void)state;
    CLI_AUTO(cli_spread_clear) cli_spread spread = {.type = EXTFN_NUMBER};
    for (size_t i = 0; i < 10; i++)
        add(&spread, DBL_MAX);
    assert_true((double)cli_spread_mean(&spread) == DBL_MAX);
    assert_true(median_of(&spread) == DBL_MAX);
}

/* Each of 200,000 numbers once, from below or from above. */
static void add_many(cli_spread *spread, int is_reversed)
{
    for (int i = 0; i < 200000; i++) {
        int at = is_reversed ? 199999 - i : i;
        add(spread, (at - 50000) * 0.37);
    }
}

static void many_values_take_bounded_memory_in_any_order(void **state)
{
    (void)state;
    CLI_AUTO(cli_spread_clear) cli_spread up = {.type = EXTFN_NUMBER};
    CLI_AUTO(cli_spread_clear) cli_spread down = {.type = EXTFN_NUMBER};
    add_many(&up, 0);
    add_many(&down, 1);
    assert_in_range(up.used, CLI_SPREAD_LIMIT / 4, CLI_SPREAD_LIMIT);
    assert_int_equal(up.used, down.used);
    assert_int_equal(up.shift, down.shift);
    CLI_AUTO(free_steps) cli_spread_step *steps = NULL;
    CLI_AUTO(free_steps) cli_spread_step *others = NULL;
    extfn_error err = {0};
    assert_int_equal(cli_spread_list(&up, &steps, &err), EXTFN_OK);
    assert_int_equal(cli_spread_list(&down, &others, &err), EXTFN_OK);
    int64_t total = 0;
    for (size_t i = 0; i < up.used; i++) {
        assert_true(steps[i].value == others[i].value && steps[i].count == others[i].count);
        total += steps[i].count;
    }
    assert_int_equal(total, 200000);
    double median = 49999.5 * 0.37;
    assert_true(fabs(median_of(&up) - median) < median / 500);
    assert_true((double)cli_spread_min(&up) == -50000 * 0.37);
}

static void datetimes_are_exact_to_the_microsecond(void **state)
{
    (void)state;
    CLI_AUTO(cli_spread_clear) cli_spread spread = {.type = EXTFN_DATETIME};
    static const int64_t times[] = {253402300799999999, -62135596800000000, 1};
    extfn_error err = {0};
    for (size_t i = 0; i < 3; i++) {
        extfn_value value = extfn_value_datetime(times[i]);
        assert_int_equal(cli_spread_add(&spread, &value, &err), EXTFN_OK);
    }
    assert_true((int64_t)cli_spread_min(&spread) == times[1]);
    assert_true((int64_t)cli_spread_max(&spread) == times[0]);
    assert_true(median_of(&spread) == 1);
}

static void counting_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_spread_clear) cli_spread spread = {.type = EXTFN_NUMBER};
        CLI_AUTO(free_steps) cli_spread_step *steps = NULL;
        extfn_error err = {0};
        status = EXTFN_OK;
        for (size_t i = 0; i < CLI_SPREAD_LIMIT + 10 && status == EXTFN_OK; i++) {
            extfn_value value = extfn_value_number((double)i);
            status = cli_spread_add(&spread, &value, &err);
        }
        if (status == EXTFN_OK)
            status = cli_spread_list(&spread, &steps, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_values_are_known_exactly),
        cmocka_unit_test(groups_are_listed_in_the_order_of_values),
        cmocka_unit_test(what_is_not_finite_is_counted_apart),
        cmocka_unit_test(a_sum_beyond_the_largest_number_has_a_mean),
        cmocka_unit_test(many_values_take_bounded_memory_in_any_order),
        cmocka_unit_test(datetimes_are_exact_to_the_microsecond),
        cmocka_unit_test(counting_survives_oom),
    };
    return cmocka_run_group_tests_name("cli/spread", tests, NULL, NULL);
}
