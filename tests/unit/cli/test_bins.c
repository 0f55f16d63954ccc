/* Histograms. SPDX-License-Identifier: MIT */
#include "cli/alloc.h"
#include "cli/bins.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define DAY_US INT64_C(86400000000)

static void free_steps(cli_spread_step **slot)
{
    cli_free(*slot);
}

static cli_bins bins_of(extfn_type type, const double *values, size_t count)
{
    CLI_AUTO(cli_spread_clear) cli_spread spread = {.type = type};
    CLI_AUTO(free_steps) cli_spread_step *steps = NULL;
    extfn_error err = {0};
    for (size_t i = 0; i < count; i++) {
        extfn_value value = type == EXTFN_NUMBER ? extfn_value_number(values[i])
                                                 : extfn_value_datetime((int64_t)values[i]);
        assert_int_equal(cli_spread_add(&spread, &value, &err), EXTFN_OK);
    }
    assert_int_equal(cli_spread_list(&spread, &steps, &err), EXTFN_OK);
    return cli_bins_make(&spread, steps);
}

static int64_t total_of(const cli_bins *bins)
{
    int64_t total = 0;
    for (size_t i = 0; i < bins->count; i++)
        total += bins->counts[i];
    return total;
}

static void assert_edge(const cli_bins *bins, size_t i, const char *wanted)
{
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    extfn_error err = {0};
    assert_int_equal(cli_bins_append_edge(&text, bins, i, &err), EXTFN_OK);
    assert_string_equal(text.data, wanted);
}

static void values_are_counted_in_the_bin_that_holds_them(void **state)
{
    (void)state;
    static const double values[] = {0, 1, 1, 2, 29.5, 30};
    const cli_bins bins = bins_of(EXTFN_NUMBER, values, 6);
    assert_true(bins.width == 1 && bins.start == 0);
    assert_int_equal(bins.count, 32);
    assert_int_equal(bins.counts[0], 1);
    assert_int_equal(bins.counts[1], 2);
    assert_int_equal(bins.counts[2], 1);
    assert_int_equal(bins.counts[29], 1);
    assert_int_equal(bins.counts[30], 1);
    assert_int_equal(bins.highest, 2);
    assert_edge(&bins, 0, "0");
    assert_edge(&bins, 32, "32");
}

static void equal_values_have_one_bin(void **state)
{
    (void)state;
    static const double values[] = {-2.5, -2.5, -2.5};
    const cli_bins bins = bins_of(EXTFN_NUMBER, values, 3);
    assert_int_equal(bins.count, 1);
    assert_true(bins.width == 0);
    assert_int_equal(bins.counts[0], 3);
    assert_edge(&bins, 0, "-2.5");
}

static void no_finite_value_has_no_bin(void **state)
{
    (void)state;
    static const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    assert_int_equal(bins_of(EXTFN_NUMBER, values, 3).count, 0);
}

/* Two values and what lies between them, however far they are from each other. */
static void any_range_has_its_bins(void **state)
{
    (void)state;
    static const double ranges[][2] = {
        {-DBL_MAX, DBL_MAX}, {0, DBL_MAX},         {0, 5e-324},          {5e-324, 1.5e-323},
        {-5e-324, 5e-324},   {2.2e-308, DBL_MIN},  {5e-324, DBL_MAX},    {1e16, 1e16 + 2},
        {-1e16 - 2, -1e16},  {1, 1 + DBL_EPSILON}, {0.1, 0.3},           {-0.7, 0.7},
        {999999, 1000001},   {-1e-300, 1e300},     {1e15, 1e15 + 0.125},
    };
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        double low = ranges[i][0];
        double high = ranges[i][1];
        const double values[] = {low, low / 2 + high / 2, high};
        const cli_bins bins = bins_of(EXTFN_NUMBER, values, 3);
        assert_in_range(bins.count, 2, CLI_BINS_LIMIT);
        assert_int_equal(bins.count % 2, 0);
        assert_int_equal(total_of(&bins), 3);
        assert_int_equal(bins.counts[0] + bins.counts[1] > 0, 1);
        assert_true(bins.start <= (long double)low + bins.width / 1000);
        assert_true(bins.start + bins.width * (long double)bins.count > (long double)high);
        CLI_AUTO(cli_buf_clear) cli_buf text = {0};
        extfn_error err = {0};
        assert_int_equal(cli_bins_append_edge(&text, &bins, bins.count / 2, &err), EXTFN_OK);
        assert_in_range(text.size, 1, 40);
    }
}

static void edges_have_the_digits_that_they_need(void **state)
{
    (void)state;
    static const struct {
        double low;
        double high;
        const char *first;
        const char *second;
    } cases[] = {
        {0, 1, "0.00", "0.05"},          {-30, 30, "-30", "-28"},
        {0, 3e6, "0", "100000"},         {1000000, 1000003, "1000000.0", "1000000.1"},
        {0, 3e-7, "0", "1e-08"},         {0, 3e300, "0", "1e+299"},
        {-0.15, 0.15, "-0.15", "-0.14"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const double values[] = {cases[i].low, cases[i].high};
        const cli_bins bins = bins_of(EXTFN_NUMBER, values, 2);
        assert_edge(&bins, 0, cases[i].first);
        assert_edge(&bins, 1, cases[i].second);
    }
}

static void times_have_widths_that_people_count_in(void **state)
{
    (void)state;
    static const struct {
        double span; /* from 1970 on */
        const char *second;
    } cases[] = {
        {20, "1970-01-01 00:00:00.000001"}, {30e6, "1970-01-01 00:00:01"},
        {25e6, "1970-01-01 00:00:01"},      {40 * 60e6, "1970-01-01 00:01"},
        {86400e6, "1970-01-01 01:00"},      {30 * 86400e6, "1970-01-02"},
        {365 * 86400e6, "1970-01-15"},      {36500 * 86400e6, "1972-09-27"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const double values[] = {0, cases[i].span};
        const cli_bins bins = bins_of(EXTFN_DATETIME, values, 2);
        assert_int_equal(total_of(&bins), 2);
        assert_edge(&bins, 1, cases[i].second);
    }
}

static void edges_beyond_the_years_that_there_are_stay_in_them(void **state)
{
    (void)state;
    static const double values[] = {-62135596800e6, 253402300799e6};
    const cli_bins bins = bins_of(EXTFN_DATETIME, values, 2);
    assert_edge(&bins, 0, "0001-01-01");
    assert_edge(&bins, bins.count, "9999-12-31");
}

static void values_are_exact_or_rounded(void **state)
{
    (void)state;
    static const struct {
        extfn_type type;
        long double value;
        int is_exact;
        const char *wanted;
    } cases[] = {
        {EXTFN_NUMBER, 2.0L / 3, 0, "0.666667"},
        {EXTFN_NUMBER, 1234567.75L, 0, "1234568"},
        {EXTFN_NUMBER, 1e300L, 0, "1e+300"},
        {EXTFN_NUMBER, 1234567.75L, 1, "1234567.75"},
        {EXTFN_DATETIME, 1500000.0L, 1, "1970-01-01 00:00:01.500"},
        {EXTFN_DATETIME, 1500000.0L, 0, "1970-01-01 00:00:01"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLI_AUTO(cli_buf_clear) cli_buf text = {0};
        extfn_error err = {0};
        assert_int_equal(cli_bins_append_value(&text, cases[i].type, cases[i].value,
                                               cases[i].is_exact, &err),
                         EXTFN_OK);
        assert_string_equal(text.data, cases[i].wanted);
    }
}

static void labels_survive_oom(void **state)
{
    (void)state;
    static const double values[] = {0, (double)DAY_US};
    const cli_bins bins = bins_of(EXTFN_DATETIME, values, 2);
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_buf_clear) cli_buf text = {0};
        extfn_error err = {0};
        status = cli_bins_append_edge(&text, &bins, 1, &err);
        if (status == EXTFN_OK)
            status = cli_bins_append_value(&text, EXTFN_NUMBER, 1, true, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_counted_in_the_bin_that_holds_them),
        cmocka_unit_test(equal_values_have_one_bin),
        cmocka_unit_test(no_finite_value_has_no_bin),
        cmocka_unit_test(any_range_has_its_bins),
        cmocka_unit_test(edges_have_the_digits_that_they_need),
        cmocka_unit_test(times_have_widths_that_people_count_in),
        cmocka_unit_test(edges_beyond_the_years_that_there_are_stay_in_them),
        cmocka_unit_test(values_are_exact_or_rounded),
        cmocka_unit_test(labels_survive_oom),
    };
    return cmocka_run_group_tests_name("cli/bins", tests, NULL, NULL);
}
