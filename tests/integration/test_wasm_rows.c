/* Rows of a stateless module, which walk through the loop's memory in runs of 256 to 4,096:
 * whatever fails, each row keeps its place. SPDX-License-Identifier: MIT */
#include "support/host.h"

#define ROWS 13001

/* Ends of turns, of runs and of the batch. */
static const int64_t bad_rows[] = {0, 1, 3, 4, 7, 4094, 4095, 4096, 8191, 8193, 12288, 13000};
#define BAD_COUNT (sizeof(bad_rows) / sizeof(bad_rows[0]))

static bool is_bad(int64_t row)
{
    for (size_t i = 0; i < BAD_COUNT; i++) {
        if (bad_rows[i] == row)
            return true;
    }
    return false;
}

static extfn_column *make_column(extfn_type type, extfn_value (*make)(int64_t row))
{
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(type, &column, NULL), EXTFN_OK);
    for (int64_t row = 0; row < ROWS; row++) {
        const extfn_value value = make(row);
        assert_int_equal(extfn_column_append(column, &value, NULL), EXTFN_OK);
    }
    return column;
}

/* 0 in the bad rows. */
static extfn_value number_of(int64_t row)
{
    return extfn_value_number(is_bad(row) ? 0 : (double)(row % 9 + 1));
}

static extfn_value boolean_of(int64_t row)
{
    return extfn_value_boolean(row % 3 == 0);
}

static extfn_value datetime_of(int64_t row)
{
    return extfn_value_datetime(row * INT64_C(1000000007));
}

static extfn_value enum_of(int64_t row)
{
    return extfn_value_enum((uint32_t)(UINT32_MAX - row));
}

static extfn_column *apply(const char *signature, const char *body,
                           const extfn_column *const *columns, size_t count)
{
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(EXTFN_WASM, signature, body);
    extfn_column *result = NULL;
    extfn_error err = {0};
    if (extfn_host_apply(host, function, columns, count, ROWS, NULL, &result, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    extfn_function_unref(function);
    extfn_host_free(host);
    assert_int_equal(extfn_column_rows(result), ROWS);
    return result;
}

static void assert_bad_rows(const extfn_column *result, const char *message)
{
    assert_int_equal(extfn_column_error_count(result), BAD_COUNT);
    for (size_t i = 0; i < BAD_COUNT; i++) {
        extfn_value value = {0};
        assert_int_equal(extfn_column_get(result, bad_rows[i], &value, NULL), EXTFN_OK);
        assert_int_equal(value.type, EXTFN_ERROR);
        if (strncmp(value.as.error.message, message, strlen(message)) != 0)
            fail_msg("row %zu: %s", (size_t)bad_rows[i], value.as.error.message);
        extfn_value_clear(&value);
    }
}

static void rows_that_trap_leave_the_others_in_place(void **state)
{
    (void)state;
    REQUIRE_WASM();
    extfn_column *columns[] = {make_column(EXTFN_NUMBER, number_of),
                               make_column(EXTFN_BOOLEAN, boolean_of),
                               make_column(EXTFN_DATETIME, datetime_of),
                               make_column(EXTFN_ENUM, enum_of)};
    extfn_column *result =
        apply("NBDE->D",
              "wat:(module (func (export \"improv_call\") (param f64 i32 i64 i32) (result i64)"
              " (i64.div_s (i64.add (local.get 2) (i64.add (i64.extend_i32_u (local.get 1))"
              " (i64.extend_i32_u (local.get 3)))) (i64.trunc_f64_s (local.get 0)))))",
              (const extfn_column *const *)columns, 4);
    assert_bad_rows(result, "integer divide by zero");
    for (int64_t row = 0; row < ROWS; row++) {
        int64_t sum = row * INT64_C(1000000007) + (row % 3 == 0) + (UINT32_MAX - row);
        if (!is_bad(row) && extfn_column_datetimes(result)[row] != sum / (row % 9 + 1))
            fail_msg("row %zu", (size_t)row);
    }
    extfn_column_free(result);
    for (size_t i = 0; i < 4; i++)
        extfn_column_free(columns[i]);
}

/* What the type cannot hold is found when the run is over. */
static void results_out_of_range_leave_the_others_in_place(void **state)
{
    (void)state;
    REQUIRE_WASM();
    extfn_column *column = make_column(EXTFN_NUMBER, number_of);
    const extfn_column *columns[] = {column};
    extfn_column *result =
        apply("N->B",
              "wat:(module (func (export \"improv_call\") (param f64) (result i32)"
              " (select (i32.const 7) (f64.gt (local.get 0) (f64.const 4))"
              "  (f64.eq (local.get 0) (f64.const 0)))))",
              columns, 1);
    assert_bad_rows(result, "return type mismatch: expected Boolean, got");
    for (int64_t row = 0; row < ROWS; row++)
        assert_int_equal(extfn_column_booleans(result)[row], !is_bad(row) && row % 9 + 1 > 4);
    extfn_column_free(result);
    result = apply("N->D",
                   "wat:(module (func (export \"improv_call\") (param f64) (result i64)"
                   " (select (i64.const 0x7fffffffffffffff) (i64.trunc_f64_s (local.get 0))"
                   "  (f64.eq (local.get 0) (f64.const 0)))))",
                   columns, 1);
    assert_bad_rows(result, "result out of range: DateTime is in the years 0001 to 9999");
    for (int64_t row = 0; row < ROWS; row++)
        assert_int_equal(extfn_column_datetimes(result)[row], is_bad(row) ? 0 : row % 9 + 1);
    extfn_column_free(result);
    extfn_column_free(column);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_trap_leave_the_others_in_place),
        cmocka_unit_test(results_out_of_range_leave_the_others_in_place),
    };
    return cmocka_run_group_tests_name("wasm_rows", tests, NULL, NULL);
}
