#include "base/auto.h"
#include "support/column.h"
#include "support/oom.h"
#include "support/unit.h"
#include "value/column.h"

#include <string.h>

#define BUFFERS(...)                                                                               \
    &(extfn_buffers)                                                                               \
    {                                                                                              \
        .struct_size = sizeof(extfn_buffers), __VA_ARGS__                                          \
    }

static void rows_of_each_type_are_copied(void **state)
{
    (void)state;
    static const double numbers[] = {1.5, -0.0};
    static const uint8_t booleans[] = {1, 0};
    static const int64_t datetimes[] = {-1, 2};
    static const uint32_t enums[] = {UINT32_MAX, 7};
    static const void *const values[] = {[EXTFN_NUMBER] = numbers,
                                         [EXTFN_BOOLEAN] = booleans,
                                         [EXTFN_TEXT] = NULL,
                                         [EXTFN_DATETIME] = datetimes,
                                         [EXTFN_ENUM] = enums};
    for (extfn_type type = EXTFN_NUMBER; type <= EXTFN_ENUM; type++) {
        if (type == EXTFN_TEXT)
            continue;
        XF_AUTO(free_column) extfn_column *column = column_of(type);
        const extfn_buffers *buffers = BUFFERS(.rows = 2, .values = values[type]);
        assert_int_equal(extfn_column_append_buffers(column, buffers, NULL), EXTFN_OK);
        assert_int_equal(extfn_column_append_buffers(column, buffers, NULL), EXTFN_OK);
        assert_int_equal(extfn_column_rows(column), 4);
        size_t size = 2 * xf_column_width(type);
        assert_memory_equal(column->values.data, values[type], size);
        assert_memory_equal(column->values.data + size, values[type], size);
    }
}

static void texts_are_cut_out_of_their_bytes(void **state)
{
    (void)state;
    static const int64_t offsets[] = {2, 3, 3, 5};
    static const int64_t wanted[] = {0, 1, 1, 3, 4, 4, 6};
    const extfn_buffers *buffers = BUFFERS(.rows = 3, .values = offsets,
                                           .bytes = "\xff\xff"
                                                    "a\xc3\xa9\xff");
    XF_AUTO(free_column) extfn_column *column = column_of(EXTFN_TEXT);
    assert_int_equal(extfn_column_append_buffers(column, BUFFERS(.rows = 0), NULL), EXTFN_OK);
    assert_int_equal(extfn_column_append_buffers(column, buffers, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_append_buffers(column, buffers, NULL), EXTFN_OK);
    assert_memory_equal(extfn_column_text_offsets(column), wanted, sizeof(wanted));
    assert_memory_equal(extfn_column_text_bytes(column),
                        "a\xc3\xa9"
                        "a\xc3\xa9",
                        6);
}

/* Bits 3 to 6 of the bitmap: a value, two errors, a value. */
static const uint8_t validity = 0x48;

static void a_row_without_a_value_is_a_missing_input(void **state)
{
    (void)state;
    static const int64_t datetimes[] = {5, INT64_MAX, INT64_MIN, 6};
    XF_AUTO(free_column) extfn_column *column = column_of(EXTFN_DATETIME);
    assert_int_equal(
        extfn_column_append_buffers(column,
                                    BUFFERS(.rows = 4, .values = datetimes, .validity = &validity,
                                            .validity_offset = 3, .missing = "missing input: when"),
                                    NULL),
        EXTFN_OK);
    static const int64_t wanted[] = {5, 0, 0, 6};
    assert_memory_equal(extfn_column_datetimes(column), wanted, sizeof(wanted));
    assert_int_equal(extfn_column_error_count(column), 2);
    const xf_column_error *error = xf_column_error_at(column, 2);
    assert_int_equal(error->kind, EXTFN_KIND_MISSING_INPUT);
    assert_string_equal(error->message, "missing input: when");
}

static void a_missing_text_is_empty_whatever_its_bytes_are(void **state)
{
    (void)state;
    static const int64_t offsets[] = {0, 1, 2, 3, 4};
    static const int64_t wanted[] = {0, 1, 1, 1, 2};
    XF_AUTO(free_column) extfn_column *column = column_of(EXTFN_TEXT);
    assert_int_equal(extfn_column_append_buffers(column,
                                                 BUFFERS(.rows = 4, .values = offsets,
                                                         .bytes = "a\xff\xff"
                                                                  "b",
                                                         .validity = &validity,
                                                         .validity_offset = 3),
                                                 NULL),
                     EXTFN_OK);
    assert_memory_equal(extfn_column_text_offsets(column), wanted, sizeof(wanted));
    assert_memory_equal(extfn_column_text_bytes(column), "ab", 2);
    assert_string_equal(xf_column_error_at(column, 1)->message, "missing input");
}

static void what_a_type_cannot_hold_leaves_the_column_as_it_was(void **state)
{
    (void)state;
    static const uint8_t booleans[] = {1, 0, 0, 2};
    static const int64_t datetimes[] = {0, 0, 0, INT64_MAX};
    static const int64_t descending[] = {0, 0, 0, 2, 1};
    static const int64_t negative[] = {-1, 0, 0, 0, 0};
    static const int64_t cut[] = {0, 0, 0, 1, 2};
    const struct {
        extfn_type type;
        const void *values;
        const char *bytes;
        const char *message;
    } cases[] = {
        {EXTFN_BOOLEAN, booleans, NULL, "row 3: a boolean is 0 or 1, not 2"},
        {EXTFN_DATETIME, datetimes, NULL, "row 3: datetime is not within the years 0001 to 9999"},
        {EXTFN_TEXT, descending, "ab", "row 3: its offsets descend"},
        {EXTFN_TEXT, negative, "ab", "row 0: its offset is below 0"},
        {EXTFN_TEXT, cut, "\xc3\xa9", "row 2: text is not UTF-8"},
        {EXTFN_TEXT, cut, "a\xff", "row 3: text is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        XF_AUTO(free_column) extfn_column *column = column_of(cases[i].type);
        assert_int_equal(extfn_column_append_error(column, EXTFN_KIND_CUSTOM, "x", NULL), EXTFN_OK);
        extfn_error err = {0};
        const extfn_buffers *buffers =
            BUFFERS(.rows = 4, .values = cases[i].values, .bytes = cases[i].bytes);
        assert_int_equal(extfn_column_append_buffers(column, buffers, &err), EXTFN_EINVAL);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(extfn_column_rows(column), 1);
        assert_int_equal(xf_column_text_size(column), 1);
    }
    XF_AUTO(free_column) extfn_column *column = column_of(EXTFN_NUMBER);
    assert_int_equal(extfn_column_append_buffers(column, BUFFERS(.rows = -1), NULL), EXTFN_EINVAL);
}

static void appending_buffers_survives_oom(void **state)
{
    (void)state;
    static const int64_t offsets[] = {0, 1, 1, 1, 2};
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(free_column) extfn_column *column = NULL;
        status = extfn_column_new(EXTFN_TEXT, &column, NULL);
        if (status == EXTFN_OK) {
            status =
                extfn_column_append_buffers(column,
                                            BUFFERS(.rows = 4, .values = offsets, .bytes = "ab",
                                                    .validity = &validity, .validity_offset = 3),
                                            NULL);
            assert_int_equal(extfn_column_rows(column), status == EXTFN_OK ? 4 : 0);
            assert_int_equal(extfn_column_error_count(column), status == EXTFN_OK ? 2 : 0);
        }
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_each_type_are_copied),
        cmocka_unit_test(texts_are_cut_out_of_their_bytes),
        cmocka_unit_test(a_row_without_a_value_is_a_missing_input),
        cmocka_unit_test(a_missing_text_is_empty_whatever_its_bytes_are),
        cmocka_unit_test(what_a_type_cannot_hold_leaves_the_column_as_it_was),
        cmocka_unit_test(appending_buffers_survives_oom),
    };
    return cmocka_run_group_tests_name("column_buffers", tests, NULL, NULL);
}
