#include "base/auto.h"
#include "support/column.h"
#include "support/oom.h"
#include "support/unit.h"
#include "value/column.h"

#include <string.h>

static void assert_same_row(const extfn_column *a, int64_t a_row, const extfn_column *b,
                            int64_t b_row)
{
    XF_AUTO(extfn_value_clear) extfn_value left = {0};
    XF_AUTO(extfn_value_clear) extfn_value right = {0};
    assert_int_equal(extfn_column_get(a, a_row, &left, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_get(b, b_row, &right, NULL), EXTFN_OK);
    assert_true(extfn_value_is_equal(&left, &right));
}

static const uint32_t picked[] = {2, 0, 0, 1, 2};

static void assert_picks(const extfn_column *from)
{
    XF_AUTO(free_column) extfn_column *column = column_of(from->type);
    assert_int_equal(xf_column_append_row(column, from, 1, NULL), EXTFN_OK);
    assert_int_equal(xf_column_append_rows(column, from, picked, 5, NULL), EXTFN_OK);
    assert_int_equal(xf_column_append_rows(column, from, picked, 0, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_rows(column), 6);
    assert_same_row(column, 0, from, 1);
    for (int64_t i = 0; i < 5; i++)
        assert_same_row(column, i + 1, from, picked[i]);
}

static void rows_of_each_type_are_picked(void **state)
{
    (void)state;
    const extfn_value values[][3] = {
        {extfn_value_number(-0.0), extfn_value_number(0.0), extfn_value_number(1e300)},
        {extfn_value_boolean(true), extfn_value_boolean(false), extfn_value_boolean(true)},
        {extfn_value_datetime(-1), extfn_value_datetime(0), extfn_value_datetime(1)},
        {extfn_value_enum(0), extfn_value_enum(7), extfn_value_enum(UINT32_MAX)},
    };
    for (size_t i = 0; i < 4; i++) {
        XF_AUTO(free_column) extfn_column *from = column_of(values[i][0].type);
        for (size_t row = 0; row < 3; row++)
            column_append(from, values[i][row]);
        assert_picks(from);
    }
}

static extfn_column *texts_with_an_error(void)
{
    extfn_column *from = column_of(EXTFN_TEXT);
    assert_int_equal(extfn_column_append_text(from, "a\0b", 3, NULL), EXTFN_OK);
    assert_int_equal(xf_column_append_failure(from, EXTFN_KIND_MISSING_INPUT, EXTFN_ETIMEOUT,
                                              "late", NULL),
                     EXTFN_OK);
    assert_int_equal(extfn_column_append_text(from, "", 0, NULL), EXTFN_OK);
    return from;
}

static void texts_and_errors_are_picked_whole(void **state)
{
    (void)state;
    XF_AUTO(free_column) extfn_column *from = texts_with_an_error();
    assert_picks(from);
    XF_AUTO(free_column) extfn_column *column = column_of(EXTFN_TEXT);
    assert_int_equal(xf_column_append_rows(column, from, picked, 5, NULL), EXTFN_OK);
    const xf_column_error *error = xf_column_error_at(column, 3);
    assert_non_null(error);
    assert_int_equal(error->status, EXTFN_ETIMEOUT);
    assert_int_equal(error->kind, EXTFN_KIND_MISSING_INPUT);
    assert_string_equal(error->message, "late");
}

/* The message of an error that came in as a value. */
static void a_message_keeps_its_zero_bytes(void **state)
{
    (void)state;
    XF_AUTO(free_column) extfn_column *from = column_of(EXTFN_NUMBER);
    char message[] = "a\0b";
    column_append(from,
                  (extfn_value){.type = EXTFN_ERROR, .as.error = {.message = message, .size = 3}});
    XF_AUTO(free_column) extfn_column *column = column_of(EXTFN_NUMBER);
    assert_int_equal(xf_column_append_row(column, from, 0, NULL), EXTFN_OK);
    assert_int_equal(xf_column_error_at(column, 0)->message_size, 3);
    assert_memory_equal(xf_column_error_at(column, 0)->message, message, 4);
}

static void picking_survives_oom(void **state)
{
    (void)state;
    XF_AUTO(free_column) extfn_column *from = texts_with_an_error();
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(free_column) extfn_column *column = NULL;
        status = extfn_column_new(EXTFN_TEXT, &column, NULL);
        if (status == EXTFN_OK)
            status = xf_column_append_rows(column, from, picked, 5, NULL);
        assert_true(status != EXTFN_OK || extfn_column_rows(column) == 5);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_each_type_are_picked),
        cmocka_unit_test(texts_and_errors_are_picked_whole),
        cmocka_unit_test(a_message_keeps_its_zero_bytes),
        cmocka_unit_test(picking_survives_oom),
    };
    return cmocka_run_group_tests_name("column_rows", tests, NULL, NULL);
}
