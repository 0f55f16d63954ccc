#include "eval/repeats.h"

#include "support/column.h"
#include "support/oom.h"
#include "support/unit.h"

#include <math.h>
#include <string.h>

#define LIMIT ((size_t)1 << 20)

static void put_number(extfn_column *column, double number)
{
    assert_int_equal(extfn_column_append_number(column, number, NULL), EXTFN_OK);
}

static void put_text(extfn_column *column, const char *text)
{
    assert_int_equal(extfn_column_append_text(column, text, strlen(text), NULL), EXTFN_OK);
}

static void put_error(extfn_column *column)
{
    assert_int_equal(extfn_column_append_error(column, EXTFN_KIND_CUSTOM, "bad", NULL), EXTFN_OK);
}

static xf_arguments arguments_of(const extfn_column *const *columns, size_t count)
{
    return (xf_arguments){.language = xf_language_get(EXTFN_PYTHON),
                          .columns = columns,
                          .column_count = count,
                          .rows = extfn_column_rows(columns[0])};
}

static void assert_slots(const xf_arguments *arguments, const uint32_t *slots, uint32_t count)
{
    xf_repeats repeats;
    assert_true(xf_repeats_init(&repeats, arguments, LIMIT, 1));
    assert_true(xf_repeats_look(&repeats, 1));
    assert_true(xf_repeats_look(&repeats, arguments->rows));
    assert_int_equal(repeats.slot_count, count);
    for (int64_t row = 0; row < arguments->rows; row++)
        assert_int_equal(repeats.index[row], slots[row]);
    xf_repeats_clear(&repeats);
}

static double nan_of(uint64_t payload)
{
    uint64_t bits = UINT64_C(0x7ff8000000000000) | payload;
    double number;
    memcpy(&number, &bits, sizeof(number));
    return number;
}

/* Zeros of both signs and NaNs of any payload can be told apart by a body. */
static void numbers_are_equal_by_their_bits(void **state)
{
    (void)state;
    extfn_column *numbers = column_of(EXTFN_NUMBER);
    const double rows[] = {0, -0.0, 1, 0, nan_of(1), nan_of(2), nan_of(1), (double)INFINITY, -0.0};
    for (size_t i = 0; i < 9; i++)
        put_number(numbers, rows[i]);
    const extfn_column *columns[] = {numbers};
    const xf_arguments arguments = arguments_of(columns, 1);
    assert_slots(&arguments, (const uint32_t[]){0, 1, 2, 0, 3, 4, 3, 5, 1}, 6);
    extfn_column_free(numbers);
}

static void texts_do_not_trade_bytes(void **state)
{
    (void)state;
    extfn_column *left = column_of(EXTFN_TEXT);
    extfn_column *right = column_of(EXTFN_TEXT);
    static const char *const rows[][2] = {
        {"ab", "c"}, {"a", "bc"}, {"", "abc"}, {"abc", ""}, {"a", "bc"}, {"", ""}, {"", ""},
    };
    for (size_t i = 0; i < 7; i++) {
        put_text(left, rows[i][0]);
        put_text(right, rows[i][1]);
    }
    const extfn_column *columns[] = {left, right};
    const xf_arguments arguments = arguments_of(columns, 2);
    assert_slots(&arguments, (const uint32_t[]){0, 1, 2, 3, 1, 4, 4}, 5);
    extfn_column_free(left);
    extfn_column_free(right);
}

static void an_error_is_like_no_other(void **state)
{
    (void)state;
    extfn_column *numbers = column_of(EXTFN_NUMBER);
    put_number(numbers, 0);
    put_error(numbers);
    put_error(numbers);
    put_number(numbers, 0);
    const extfn_column *columns[] = {numbers};
    const xf_arguments arguments = arguments_of(columns, 1);
    assert_slots(&arguments, (const uint32_t[]){0, 1, 2, 0}, 3);
    extfn_column_free(numbers);
}

static void rows_without_arguments_are_all_alike(void **state)
{
    (void)state;
    const xf_arguments arguments = {.language = xf_language_get(EXTFN_PYTHON), .rows = 3};
    assert_slots(&arguments, (const uint32_t[]){0, 0, 0}, 1);
}

/* Through every size that the tables take. */
static void many_rows_have_the_slot_of_their_value(void **state)
{
    (void)state;
    extfn_column *numbers = column_of(EXTFN_NUMBER);
    for (int i = 0; i < 20000; i++)
        put_number(numbers, i * 7919 % 5000);
    const extfn_column *columns[] = {numbers};
    const xf_arguments arguments = arguments_of(columns, 1);
    xf_repeats repeats;
    assert_true(xf_repeats_init(&repeats, &arguments, LIMIT, 1));
    assert_true(xf_repeats_look(&repeats, arguments.rows));
    assert_int_equal(repeats.slot_count, 5000);
    const double *values = extfn_column_numbers(numbers);
    for (int64_t row = 0; row < arguments.rows; row++) {
        int64_t first = repeats.slots[repeats.index[row]].row;
        assert_true(values[first] == values[row]);
        assert_int_equal(xf_repeats_is_first(&repeats, row), first == row);
    }
    assert_true(xf_repeats_set_apart(&repeats, 19999));
    assert_int_equal(repeats.index[19999], 5000);
    assert_true(xf_repeats_is_first(&repeats, 19999));
    xf_repeats_clear(&repeats);
    extfn_column_free(numbers);
}

static extfn_column *thousand_numbers(void)
{
    extfn_column *numbers = column_of(EXTFN_NUMBER);
    for (int i = 0; i < 1000; i++)
        put_number(numbers, i);
    return numbers;
}

static void the_limit_holds(void **state)
{
    (void)state;
    extfn_column *numbers = thousand_numbers();
    const extfn_column *columns[] = {numbers};
    const xf_arguments arguments = arguments_of(columns, 1);
    xf_repeats repeats;
    assert_false(xf_repeats_init(&repeats, &arguments, 7999, 1));
    xf_repeats_clear(&repeats);
    assert_true(xf_repeats_init(&repeats, &arguments, 16384, 1));
    assert_false(xf_repeats_look(&repeats, 1000));
    assert_int_equal(repeats.slot_count, 512);
    assert_false(xf_repeats_set_apart(&repeats, 3));
    xf_repeats_clear(&repeats);
    extfn_column_free(numbers);
}

static void without_memory_it_is_given_up(void **state)
{
    (void)state;
    extfn_column *numbers = thousand_numbers();
    const extfn_column *columns[] = {numbers};
    const xf_arguments arguments = arguments_of(columns, 1);
    xf_repeats repeats = {.looked = 0};
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        xf_repeats_clear(&repeats);
        bool is_whole =
            xf_repeats_init(&repeats, &arguments, LIMIT, 1) && xf_repeats_look(&repeats, 1000);
        status = is_whole ? EXTFN_OK : EXTFN_ENOMEM;
    });
    assert_int_equal(repeats.slot_count, 1000);
    xf_repeats_clear(&repeats);
    extfn_column_free(numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_equal_by_their_bits),
        cmocka_unit_test(texts_do_not_trade_bytes),
        cmocka_unit_test(an_error_is_like_no_other),
        cmocka_unit_test(rows_without_arguments_are_all_alike),
        cmocka_unit_test(many_rows_have_the_slot_of_their_value),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(without_memory_it_is_given_up),
    };
    return cmocka_run_group_tests_name("repeats", tests, NULL, NULL);
}
