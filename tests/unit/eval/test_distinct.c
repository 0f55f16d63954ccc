/* Rows that repeat, and known calls, where memory is short: a result or EXTFN_ENOMEM, never another
 * result. */
#include "base/alloc.h"

#include "support/host.h"

#define ALLOCATIONS 300
#define ROWS 300
#define CALL_ALLOCATIONS 60

static extfn_column *repeat(void)
{
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_NUMBER, &column, NULL), EXTFN_OK);
    for (int i = 0; i < ROWS; i++)
        assert_int_equal(extfn_column_append_number(column, i % 10, NULL), EXTFN_OK);
    return column;
}

static void assert_divided(const extfn_column *result)
{
    assert_int_equal(extfn_column_rows(result), ROWS);
    assert_int_equal(extfn_column_error_count(result), ROWS / 10);
    for (int64_t i = 0; i < ROWS; i++) {
        extfn_value value = {0};
        assert_int_equal(extfn_column_get(result, i, &value, NULL), EXTFN_OK);
        if (i % 10 == 0)
            assert_string_equal(value.as.error.message,
                                "ZeroDivisionError: float division by zero (line 1)");
        else
            assert_true(value.as.number == 1 / (double)(i % 10));
        extfn_value_clear(&value);
    }
}

static void batches_without_memory_fail_or_are_right(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    extfn_host *host =
        test_host(&(extfn_host_options){.policy = EXTFN_TRUSTED, .memo_bytes = 1 << 20});
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", "result = 1 / x");
    extfn_column *column = repeat();
    const extfn_column *columns[] = {column};
    int failed = 0;
    for (long nth = 0; nth < ALLOCATIONS; nth++) {
        extfn_column *result = NULL;
        xf_alloc_fail_after(nth);
        extfn_status status =
            extfn_host_apply(host, function, columns, 1, ROWS, NULL, &result, NULL);
        xf_alloc_fail_after(-1);
        if (status == EXTFN_OK)
            assert_divided(result);
        else
            assert_int_equal(status, EXTFN_ENOMEM);
        failed += status != EXTFN_OK;
        extfn_column_free(result);
    }
    assert_in_range(failed, 20, ALLOCATIONS - 1);
    extfn_column_free(column);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static uint64_t memo_hits(extfn_host *host)
{
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(host, &stats);
    return stats.memo_hits;
}

static void calls_without_memory_fail_or_are_right(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    extfn_host *host =
        test_host(&(extfn_host_options){.policy = EXTFN_TRUSTED, .memo_bytes = 1 << 20});
    extfn_function *function = test_function(EXTFN_PYTHON, "T(x)->T", "result = x + '!'");
    extfn_value text = test_text("hello");
    for (int round = 0; round < 2; round++) { /* not known, known */
        int failed = 0;
        uint64_t hits = memo_hits(host);
        for (long nth = 0; nth < CALL_ALLOCATIONS; nth++) {
            extfn_value value = {0};
            xf_alloc_fail_after(nth);
            extfn_status status = extfn_host_eval(host, function, &text, 1, NULL, &value, NULL);
            xf_alloc_fail_after(-1);
            if (status == EXTFN_OK)
                assert_string_equal(value.as.text.data, "hello!");
            else
                assert_int_equal(status, EXTFN_ENOMEM);
            failed += status != EXTFN_OK;
            extfn_value_clear(&value);
        }
        assert_in_range(failed, 1, CALL_ALLOCATIONS - 1);
        assert_in_range(memo_hits(host) - hits, 1, 2 * CALL_ALLOCATIONS);
    }
    extfn_value_clear(&text);
    extfn_function_unref(function);
    extfn_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_without_memory_fail_or_are_right),
        cmocka_unit_test(calls_without_memory_fail_or_are_right),
    };
    return cmocka_run_group_tests_name("distinct", tests, NULL, NULL);
}
