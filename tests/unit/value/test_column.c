#include "value/column.h"

#include "base/auto.h"
#include "support/column.h"
#include "support/oom.h"
#include "support/unit.h"

#include <math.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void only_types_that_functions_have_make_columns(void **state)
{
    (void)state;
    extfn_error err = {0};
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_ERROR, &column, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "a column cannot hold Error");
    assert_int_equal(extfn_column_new(EXTFN_NONE, &column, &err), EXTFN_EINVAL);
    assert_int_equal(extfn_column_new((extfn_type)77, &column, &err), EXTFN_EINVAL);
    assert_int_equal(extfn_column_new((extfn_type)-1, &column, &err), EXTFN_EINVAL);
    assert_null(column);
    extfn_column_free(NULL);
}

static void numbers_are_taken_as_they_are(void **state)
{
    (void)state;
    static const double numbers[] = {1, -0.0, 0x1p-1074, (double)NAN};
    XF_AUTO(free_column) extfn_column *column = NULL;
    assert_int_equal(extfn_column_new_numbers(numbers, 4, &column, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_append_number(column, 5, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_rows(column), 5);
    assert_int_equal(extfn_column_type(column), EXTFN_NUMBER);
    assert_memory_equal(extfn_column_numbers(column), numbers, sizeof(numbers));
    assert_true(extfn_column_numbers(column)[4] == 5);
}

static void a_column_of_no_numbers_is_empty(void **state)
{
    (void)state;
    XF_AUTO(free_column) extfn_column *column = NULL;
    assert_int_equal(extfn_column_new_numbers(NULL, -1, &column, NULL), EXTFN_EINVAL);
    assert_int_equal(extfn_column_new_numbers(NULL, 0, &column, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_rows(column), 0);
    assert_non_null(extfn_column_numbers(column));
}

static void each_type_has_its_own_buffer(void **state)
{
    (void)state;
    for (extfn_type type = EXTFN_NUMBER; type <= EXTFN_ENUM; type++) {
        XF_AUTO(free_column) extfn_column *column = column_of(type);
        assert_int_equal(extfn_column_numbers(column) != NULL, type == EXTFN_NUMBER);
        assert_int_equal(extfn_column_booleans(column) != NULL, type == EXTFN_BOOLEAN);
        assert_int_equal(extfn_column_datetimes(column) != NULL, type == EXTFN_DATETIME);
        assert_int_equal(extfn_column_enums(column) != NULL, type == EXTFN_ENUM);
        assert_int_equal(extfn_column_text_offsets(column) != NULL, type == EXTFN_TEXT);
        assert_int_equal(extfn_column_text_bytes(column) != NULL, type == EXTFN_TEXT);
    }
    XF_AUTO(free_column) extfn_column *texts = column_of(EXTFN_TEXT);
    assert_int_equal(extfn_column_text_offsets(texts)[0], 0);
}

static void buffers_have_the_layout_of_arrow(void **state)
{
    (void)state;
    XF_AUTO(free_column) extfn_column *booleans = column_of(EXTFN_BOOLEAN);
    column_append(booleans, extfn_value_boolean(true));
    column_append(booleans, extfn_value_boolean(false));
    assert_memory_equal(extfn_column_booleans(booleans), "\1\0", 2);

    XF_AUTO(free_column) extfn_column *datetimes = column_of(EXTFN_DATETIME);
    column_append(datetimes, extfn_value_datetime(-1));
    column_append(datetimes, extfn_value_datetime(2));
    assert_int_equal(extfn_column_datetimes(datetimes)[0], -1);
    assert_int_equal(extfn_column_datetimes(datetimes)[1], 2);

    XF_AUTO(free_column) extfn_column *enums = column_of(EXTFN_ENUM);
    column_append(enums, extfn_value_enum(UINT32_MAX));
    column_append(enums, extfn_value_enum(2));
    assert_int_equal(extfn_column_enums(enums)[0], UINT32_MAX);
    assert_int_equal(extfn_column_enums(enums)[1], 2);

    XF_AUTO(free_column) extfn_column *texts = column_of(EXTFN_TEXT);
    assert_int_equal(extfn_column_append_text(texts, "ab", 2, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_append_text(texts, NULL, 0, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_append_text(texts, "c\0d", 3, NULL), EXTFN_OK);
    static const int64_t offsets[] = {0, 2, 2, 5};
    assert_memory_equal(extfn_column_text_offsets(texts), offsets, sizeof(offsets));
    assert_memory_equal(extfn_column_text_bytes(texts), "abc\0d", 5);
}

/* Two values a type, in rows 0 and 2 with an error between. */
static void fill(extfn_column *column)
{
    extfn_value values[] = {{0}, {0}};
    assert_int_equal(extfn_value_from_json("\"a\\u0000b\"", 10, EXTFN_TEXT, &values[0], NULL),
                     EXTFN_OK);
    assert_int_equal(extfn_value_text("\xc3\xa9", 2, &values[1], NULL), EXTFN_OK);
    static const extfn_value plain[][2] = {
        [EXTFN_NUMBER] = {{.type = EXTFN_NUMBER, .as.number = -0.0},
                          {.type = EXTFN_NUMBER, .as.number = 7}},
        [EXTFN_BOOLEAN] = {{.type = EXTFN_BOOLEAN, .as.boolean = true},
                           {.type = EXTFN_BOOLEAN, .as.boolean = false}},
        [EXTFN_DATETIME] = {{.type = EXTFN_DATETIME, .as.datetime = -5},
                            {.type = EXTFN_DATETIME, .as.datetime = 5}},
        [EXTFN_ENUM] = {{.type = EXTFN_ENUM, .as.index = UINT32_MAX},
                        {.type = EXTFN_ENUM, .as.index = 1}},
    };
    const extfn_value *two = column->type == EXTFN_TEXT ? values : plain[column->type];
    XF_AUTO(extfn_value_clear) extfn_value got = {0};
    column_append(column, two[0]);
    assert_int_equal(extfn_column_append_error(column, EXTFN_KIND_CUSTOM, "bad", NULL), EXTFN_OK);
    column_append(column, two[1]);
    for (int64_t row = 0; row < 3; row += 2) {
        assert_int_equal(extfn_column_get(column, row, &got, NULL), EXTFN_OK);
        assert_true(extfn_value_is_equal(&got, &two[row / 2]));
        extfn_value_clear(&got);
    }
    extfn_value_clear(&values[0]);
    extfn_value_clear(&values[1]);
}

static void rows_come_back_as_they_went_in(void **state)
{
    (void)state;
    for (extfn_type type = EXTFN_NUMBER; type <= EXTFN_ENUM; type++) {
        XF_AUTO(free_column) extfn_column *column = column_of(type);
        XF_AUTO(extfn_value_clear) extfn_value error = {0};
        fill(column);
        assert_int_equal(extfn_column_rows(column), 3);
        assert_int_equal(extfn_column_error_count(column), 1);
        assert_false(extfn_column_is_error(column, 0));
        assert_true(extfn_column_is_error(column, 1));
        assert_false(extfn_column_is_error(column, 2));
        assert_false(extfn_column_is_error(column, 3));
        assert_int_equal(extfn_column_get(column, 1, &error, NULL), EXTFN_OK);
        assert_int_equal(error.type, EXTFN_ERROR);
        assert_int_equal(error.as.error.kind, EXTFN_KIND_CUSTOM);
        assert_string_equal(error.as.error.message, "bad");
    }
}

static void the_row_of_an_error_holds_zero(void **state)
{
    (void)state;
    XF_AUTO(free_column) extfn_column *column = column_of(EXTFN_ENUM);
    XF_AUTO(free_column) extfn_column *texts = column_of(EXTFN_TEXT);
    assert_int_equal(extfn_column_append_error(column, EXTFN_KIND_CUSTOM, "bad", NULL), EXTFN_OK);
    column_append(column, extfn_value_enum(3));
    assert_int_equal(extfn_column_enums(column)[0], 0);
    assert_int_equal(extfn_column_enums(column)[1], 3);
    assert_int_equal(extfn_column_append_error(texts, EXTFN_KIND_CUSTOM, "bad", NULL), EXTFN_OK);
    assert_int_equal(extfn_column_text_offsets(texts)[1], 0);
}

static void texts_may_all_be_empty(void **state)
{
    (void)state;
    XF_AUTO(free_column) extfn_column *column = column_of(EXTFN_TEXT);
    XF_AUTO(extfn_value_clear) extfn_value value = {0};
    assert_int_equal(extfn_column_append_text(column, "", 0, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_get(column, 0, &value, NULL), EXTFN_OK);
    assert_string_equal(value.as.text.data, "");
    assert_int_equal(xf_column_view(column, 0).as.text.size, 0);
}

static void rows_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    XF_AUTO(free_column) extfn_column *column = column_of(EXTFN_NUMBER);
    extfn_error err = {0};
    extfn_value value = {0};
    assert_int_equal(extfn_column_get(column, 0, &value, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "row 0 is not among the 0 of the column");
    column_append(column, extfn_value_number(1));
    assert_int_equal(extfn_column_get(column, -1, &value, &err), EXTFN_EINVAL);
    assert_int_equal(extfn_column_get(column, 1, &value, &err), EXTFN_EINVAL);
    assert_int_equal(value.type, EXTFN_NONE);
}

static void values_of_another_type_are_refused(void **state)
{
    (void)state;
    XF_AUTO(free_column) extfn_column *column = column_of(EXTFN_BOOLEAN);
    extfn_error err = {0};
    extfn_value number = extfn_value_number(1);
    extfn_value none = {0};
    assert_int_equal(extfn_column_append(column, &number, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "expected Boolean, got Number");
    assert_int_equal(extfn_column_append(column, &none, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "expected Boolean, got no value");
    assert_int_equal(extfn_column_append_number(column, 1, &err), EXTFN_EINVAL);
    assert_int_equal(extfn_column_append_text(column, "a", 1, &err), EXTFN_EINVAL);
    assert_int_equal(extfn_column_rows(column), 0);
}

static void content_that_no_value_may_have_is_refused(void **state)
{
    (void)state;
    XF_AUTO(free_column) extfn_column *texts = column_of(EXTFN_TEXT);
    XF_AUTO(free_column) extfn_column *datetimes = column_of(EXTFN_DATETIME);
    extfn_error err = {0};
    extfn_value late = extfn_value_datetime(INT64_MAX);
    assert_int_equal(extfn_column_append_text(texts, "a\xff", 2, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "text is not UTF-8 at byte 1");
    assert_int_equal(extfn_column_append_error(texts, EXTFN_KIND_CUSTOM, "\xff", &err),
                     EXTFN_EINVAL);
    assert_int_equal(extfn_column_append_error(texts, (extfn_error_kind)9, "a", &err),
                     EXTFN_EINVAL);
    assert_int_equal(extfn_column_append(datetimes, &late, &err), EXTFN_EINVAL);
    assert_int_equal(extfn_column_rows(texts), 0);
    assert_int_equal(extfn_column_error_count(texts), 0);
    assert_int_equal(extfn_column_rows(datetimes), 0);
}

static void a_failure_keeps_its_status(void **state)
{
    (void)state;
    XF_AUTO(free_column) extfn_column *column = column_of(EXTFN_NUMBER);
    assert_int_equal(xf_column_append_failure(column, EXTFN_KIND_CUSTOM, EXTFN_ETIMEOUT, "late\xff",
                                              NULL),
                     EXTFN_OK);
    assert_int_equal(extfn_column_append_error(column, EXTFN_KIND_CUSTOM, "bad", NULL), EXTFN_OK);
    const xf_column_error *late = xf_column_error_at(column, 0);
    assert_int_equal(late->status, EXTFN_ETIMEOUT);
    assert_string_equal(late->message, "late?");
    assert_int_equal(xf_column_error_at(column, 1)->status, EXTFN_OK);
}

static void errors_are_found_among_many(void **state)
{
    (void)state;
    XF_AUTO(free_column) extfn_column *column = column_of(EXTFN_NUMBER);
    for (int i = 0; i < 1000; i++) {
        column_append(column, extfn_value_number(i));
        if (i % 3 == 0) {
            assert_int_equal(extfn_column_append_error(column, EXTFN_KIND_CUSTOM, "bad", NULL),
                             EXTFN_OK);
        }
    }
    int64_t errors = 0;
    for (int64_t row = 0; row < extfn_column_rows(column); row++)
        errors += extfn_column_is_error(column, row);
    assert_int_equal(errors, 334);
    assert_int_equal(extfn_column_error_count(column), 334);
}

static void raw_values_append_as_a_block(void **state)
{
    (void)state;
    static const uint32_t enums[] = {1, 2, 3};
    XF_AUTO(free_column) extfn_column *column = column_of(EXTFN_ENUM);
    column_append(column, extfn_value_enum(9));
    assert_int_equal(xf_column_append_raw(column, enums, 3, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_rows(column), 4);
    assert_memory_equal(extfn_column_enums(column) + 1, enums, sizeof(enums));
    assert_int_equal(xf_column_append_raw(column, enums, INT64_MAX, NULL), EXTFN_ENOMEM);
    assert_int_equal(extfn_column_rows(column), 4);
}

/* One append of a value and one of an error, each with every allocation failing in turn. */
static void sweep_appends(extfn_column *column, const extfn_value *value)
{
    int64_t rows = column->rows;
    int64_t errors = extfn_column_error_count(column);
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        assert_int_equal(column->rows, rows);
        status = extfn_column_append(column, value, NULL);
    });
    XF_OOM_SWEEP(status, {
        assert_int_equal(column->rows, rows + 1);
        assert_int_equal(extfn_column_error_count(column), errors);
        status = extfn_column_append_error(column, EXTFN_KIND_CUSTOM, "bad", NULL);
    });
    XF_OOM_SWEEP(status, {
        assert_int_equal(extfn_column_error_count(column), errors + 1);
        status = xf_column_append_failure(column, EXTFN_KIND_CUSTOM, EXTFN_ERUNTIME, "bad", NULL);
    });
    assert_int_equal(column->rows, rows + 3);
}

static void appending_survives_oom_and_leaves_the_column_unchanged(void **state)
{
    (void)state;
    XF_AUTO(free_column) extfn_column *numbers = column_of(EXTFN_NUMBER);
    XF_AUTO(free_column) extfn_column *texts = column_of(EXTFN_TEXT);
    XF_AUTO(extfn_value_clear) extfn_value text = {0};
    extfn_value number = extfn_value_number(1);
    assert_int_equal(extfn_value_text("abc", 3, &text, NULL), EXTFN_OK);
    for (int i = 0; i < 40; i++) {
        sweep_appends(numbers, &number);
        sweep_appends(texts, &text);
    }
    for (int64_t row = 0; row < 120; row++) {
        const int64_t *offsets = extfn_column_text_offsets(texts);
        assert_int_equal(offsets[row + 1] - offsets[row], row % 3 == 0 ? 3 : 0);
        assert_int_equal(extfn_column_is_error(texts, row), row % 3 != 0);
    }
    assert_memory_equal(extfn_column_text_bytes(texts), "abcabcabc", 9);
}

static void making_and_getting_survive_oom(void **state)
{
    (void)state;
    static const double numbers[] = {1, 2};
    extfn_status status = EXTFN_OK;
    extfn_column *column = NULL;
    extfn_value value = {0};
    XF_OOM_SWEEP(status, { status = extfn_column_new_numbers(numbers, 2, &column, NULL); });
    extfn_column_free(column);
    XF_OOM_SWEEP(status, { status = extfn_column_new(EXTFN_TEXT, &column, NULL); });
    assert_int_equal(extfn_column_append_text(column, "abc", 3, NULL), EXTFN_OK);
    XF_OOM_SWEEP(status, { status = extfn_column_get(column, 0, &value, NULL); });
    assert_string_equal(value.as.text.data, "abc");
    extfn_value_clear(&value);
    extfn_column_free(column);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_types_that_functions_have_make_columns),
        cmocka_unit_test(numbers_are_taken_as_they_are),
        cmocka_unit_test(a_column_of_no_numbers_is_empty),
        cmocka_unit_test(each_type_has_its_own_buffer),
        cmocka_unit_test(buffers_have_the_layout_of_arrow),
        cmocka_unit_test(rows_come_back_as_they_went_in),
        cmocka_unit_test(the_row_of_an_error_holds_zero),
        cmocka_unit_test(texts_may_all_be_empty),
        cmocka_unit_test(rows_that_do_not_exist_are_refused),
        cmocka_unit_test(values_of_another_type_are_refused),
        cmocka_unit_test(content_that_no_value_may_have_is_refused),
        cmocka_unit_test(a_failure_keeps_its_status),
        cmocka_unit_test(errors_are_found_among_many),
        cmocka_unit_test(raw_values_append_as_a_block),
        cmocka_unit_test(appending_survives_oom_and_leaves_the_column_unchanged),
        cmocka_unit_test(making_and_getting_survive_oom),
    };
    return cmocka_run_group_tests_name("column", tests, NULL, NULL);
}
