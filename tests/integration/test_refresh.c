/* A function over measures, through real workers. SPDX-License-Identifier: MIT */
#include "support/host.h"

#include <stdio.h>

/* Price by product, units by month and product (one cell missing), and a rate for all. */
static const char *const by_product[] = {"product"};
static const char *const by_month[] = {"month", "product"};
static const uint32_t price_products[] = {2, 0, 1};
static const uint32_t *const price_items[] = {price_products};
static const uint32_t unit_months[] = {0, 0, 1, 1, 1};
static const uint32_t unit_products[] = {0, 1, 2, 1, 0};
static const uint32_t *const unit_items[] = {unit_months, unit_products};

typedef struct sheet {
    extfn_host *host;
    extfn_column *prices;
    extfn_column *units;
    extfn_column *rates;
} sheet;

static sheet sheet_new(void)
{
    sheet it = {.host = test_host(NULL)};
    const double prices[] = {30, 10, 20};
    const double units[] = {1, 2, 3, 0, 5};
    const double rates[] = {0.5};
    assert_int_equal(extfn_column_new_numbers(prices, 3, &it.prices, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_new_numbers(units, 5, &it.units, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_new_numbers(rates, 1, &it.rates, NULL), EXTFN_OK);
    return it;
}

static void sheet_clear(sheet *it)
{
    extfn_column_free(it->prices);
    extfn_column_free(it->units);
    extfn_column_free(it->rates);
    extfn_host_free(it->host);
}

static extfn_status refresh(const sheet *it, extfn_function *function, extfn_cells **ret_cells,
                            extfn_error *err)
{
    const extfn_measure args[] = {
        {by_product, price_items, 1, it->prices},
        {by_month, unit_items, 2, it->units},
        {NULL, NULL, 0, it->rates},
    };
    return extfn_refresh(it->host, function, args, 3, NULL, ret_cells, err);
}

/* Sorted by product, then month; 30 and 3 are product 2's. */
static void assert_revenue(const extfn_cells *cells)
{
    static const uint32_t products[] = {0, 0, 1, 1, 2};
    static const uint32_t months[] = {0, 1, 0, 1, 1};
    static const double numbers[] = {5, 25, 20, 0, 45};
    const extfn_measure made = extfn_cells_measure(cells);
    assert_int_equal(made.dimension_count, 2);
    assert_string_equal(made.dimensions[0], "product");
    assert_string_equal(made.dimensions[1], "month");
    assert_int_equal(extfn_column_rows(made.values), 5);
    assert_memory_equal(made.items[0], products, sizeof(products));
    assert_memory_equal(made.items[1], months, sizeof(months));
    for (int64_t i = 0; i < 5; i++) {
        if (numbers[i] != 0)
            assert_true(extfn_column_numbers(made.values)[i] == numbers[i]);
        assert_int_equal(extfn_column_is_error(made.values, i), numbers[i] == 0);
    }
}

static void measures_meet_and_a_failing_cell_is_an_error(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    sheet it = sheet_new();
    extfn_function *function = test_function(EXTFN_PYTHON, "N(price)N(units)N(rate)->N",
                                             "if units == 0:\n    raise ValueError('no units')\n"
                                             "result = price * units * rate");
    extfn_cells *cells = NULL;
    extfn_error err = {0};
    if (refresh(&it, function, &cells, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    assert_revenue(cells);
    extfn_value value = {0};
    const extfn_measure made = extfn_cells_measure(cells);
    assert_int_equal(extfn_column_get(made.values, 3, &value, NULL), EXTFN_OK);
    assert_string_equal(value.as.error.message, "ValueError: no units (line 2)");
    extfn_value_clear(&value);
    extfn_cells_free(cells);
    extfn_function_unref(function);
    sheet_clear(&it);
}

/* A measure that was made is an argument like any other. */
static void what_comes_out_goes_in_again(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    sheet it = sheet_new();
    extfn_function *function =
        test_function(EXTFN_PYTHON, "N(price)N(units)N(rate)->N", "result = price * units * rate");
    extfn_function *share =
        test_function(EXTFN_PYTHON, "N(revenue)N(price)->N", "result = revenue / price");
    extfn_cells *cells = NULL;
    extfn_cells *shares = NULL;
    assert_int_equal(refresh(&it, function, &cells, NULL), EXTFN_OK);
    const extfn_measure args[] = {extfn_cells_measure(cells),
                                  {by_product, price_items, 1, it.prices}};
    assert_int_equal(extfn_refresh(it.host, share, args, 2, NULL, &shares, NULL), EXTFN_OK);
    static const double expected[] = {0.5, 2.5, 1, 0, 1.5};
    const extfn_measure made = extfn_cells_measure(shares);
    assert_int_equal(extfn_column_rows(made.values), 5);
    assert_memory_equal(extfn_column_numbers(made.values), expected, sizeof(expected));
    extfn_cells_free(shares);
    extfn_cells_free(cells);
    extfn_function_unref(share);
    extfn_function_unref(function);
    sheet_clear(&it);
}

static void a_function_without_arguments_has_one_cell(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(EXTFN_PYTHON, "->N", "result = 7");
    extfn_cells *cells = NULL;
    assert_int_equal(extfn_refresh(host, function, NULL, 0, NULL, &cells, NULL), EXTFN_OK);
    const extfn_measure made = extfn_cells_measure(cells);
    assert_int_equal(made.dimension_count, 0);
    assert_int_equal(extfn_column_rows(made.values), 1);
    assert_true(extfn_column_numbers(made.values)[0] == 7);
    extfn_cells_free(cells);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void what_does_not_fit_fails_before_anything_runs(void **state)
{
    (void)state;
    sheet it = sheet_new();
    extfn_function *two = test_function(EXTFN_PYTHON, "N(price)N(units)->N", "result = 1");
    extfn_function *other = test_function(EXTFN_PYTHON, "N(price)T(units)N(rate)->N", "result = 1");
    extfn_function *twice = test_function(EXTFN_PYTHON, "N(price)->N", "result = 1");
    extfn_cells *cells = NULL;
    extfn_error err = {0};
    assert_int_equal(refresh(&it, two, &cells, &err), EXTFN_EARITY);
    assert_int_equal(refresh(&it, other, &cells, &err), EXTFN_ETYPE);
    const uint32_t same[] = {4, 4, 1};
    const uint32_t *const items[] = {same};
    const extfn_measure bad = {by_product, items, 1, it.prices};
    assert_int_equal(extfn_refresh(it.host, twice, &bad, 1, NULL, &cells, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "'price' has the same coordinate twice: product 4");
    assert_null(cells);
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(it.host, &stats);
    assert_int_equal(stats.workers_started, 0);
    extfn_function_unref(two);
    extfn_function_unref(other);
    extfn_function_unref(twice);
    sheet_clear(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_meet_and_a_failing_cell_is_an_error),
        cmocka_unit_test(what_comes_out_goes_in_again),
        cmocka_unit_test(a_function_without_arguments_has_one_cell),
        cmocka_unit_test(what_does_not_fit_fails_before_anything_runs),
    };
    return cmocka_run_group_tests_name("refresh", tests, NULL, NULL);
}
