#include "eval/select.h"

#include "support/column.h"
#include "support/oom.h"
#include "support/unit.h"
#include "value/column.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT 16

/* Two columns of arguments and the rows that were picked. */
typedef struct fixture {
    extfn_column *columns[2];
    const extfn_column *view[2];
    xf_arguments arguments;
    int64_t selected[LIMIT];
    int64_t end;
} fixture;

static void put_text(extfn_column *column, const char *text, size_t size)
{
    assert_int_equal(extfn_column_append_text(column, text, size, NULL), EXTFN_OK);
}

static void put_number(extfn_column *column, double number)
{
    assert_int_equal(extfn_column_append_number(column, number, NULL), EXTFN_OK);
}

static void put_error(extfn_column *column, const char *message)
{
    assert_int_equal(extfn_column_append_error(column, EXTFN_KIND_DIVISION_BY_ZERO, message, NULL),
                     EXTFN_OK);
}

static void take(fixture *fix, extfn_language language, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fix->view[i] = fix->columns[i];
    fix->arguments = (xf_arguments){
        .language = xf_language_get(language),
        .columns = fix->view,
        .column_count = count,
        .rows = count ? extfn_column_rows(fix->columns[0]) : 3,
    };
}

static void fixture_clear(fixture *fix)
{
    for (size_t i = 0; i < 2; i++)
        extfn_column_free(fix->columns[i]);
}

static void assert_selects(fixture *fix, int64_t from, uint32_t limit, const int64_t *rows,
                           uint32_t count, int64_t end)
{
    assert_int_equal(xf_select(&fix->arguments, from, limit, fix->selected, &fix->end), count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(fix->selected[i], rows[i]);
    assert_int_equal(fix->end, end);
}

static void plain_rows_are_taken_up_to_the_limit(void **state)
{
    (void)state;
    fixture fix = {.columns = {column_of(EXTFN_NUMBER)}};
    for (int i = 0; i < 5; i++)
        put_number(fix.columns[0], i);
    take(&fix, EXTFN_R, 1);
    assert_selects(&fix, 0, 3, (const int64_t[]){0, 1, 2}, 3, 3);
    assert_selects(&fix, 3, 3, (const int64_t[]){3, 4}, 2, 5);
    fixture_clear(&fix);
}

static void rows_without_arguments_are_rows(void **state)
{
    (void)state;
    fixture fix = {.end = 0};
    take(&fix, EXTFN_PYTHON, 0);
    assert_selects(&fix, 1, LIMIT, (const int64_t[]){1, 2}, 2, 3);
}

/* Their bytes are at NULL, which memchr and memcpy must not see. */
static void texts_that_are_all_empty_are_rows(void **state)
{
    (void)state;
    fixture fix = {.columns = {column_of(EXTFN_TEXT)}};
    for (int i = 0; i < 3; i++)
        put_text(fix.columns[0], "", 0);
    for (extfn_language language = EXTFN_PYTHON; language <= EXTFN_R; language++) {
        take(&fix, language, 1);
        assert_selects(&fix, 0, LIMIT, (const int64_t[]){0, 1, 2}, 3, 3);
    }
    fixture_clear(&fix);
}

static void errors_are_passed_over_and_the_leftmost_is_the_result(void **state)
{
    (void)state;
    fixture fix = {.columns = {column_of(EXTFN_NUMBER), column_of(EXTFN_NUMBER)}};
    put_error(fix.columns[0], "left");
    put_error(fix.columns[1], "right");
    put_number(fix.columns[0], 1);
    put_error(fix.columns[1], "only");
    put_number(fix.columns[0], 2);
    put_number(fix.columns[1], 2);
    take(&fix, EXTFN_PYTHON, 2);
    assert_selects(&fix, 0, LIMIT, (const int64_t[]){2}, 1, 3);
    extfn_column *result = column_of(EXTFN_TEXT);
    assert_int_equal(xf_append_refused(&fix.arguments, 0, 2, result, NULL), EXTFN_OK);
    assert_string_equal(xf_column_error_at(result, 0)->message, "left");
    assert_int_equal(xf_column_error_at(result, 0)->kind, EXTFN_KIND_DIVISION_BY_ZERO);
    assert_string_equal(xf_column_error_at(result, 1)->message, "only");
    extfn_column_free(result);
    fixture_clear(&fix);
}

static void what_a_language_cannot_hold_is_refused_with_its_position(void **state)
{
    (void)state;
    fixture fix = {.columns = {column_of(EXTFN_NUMBER), column_of(EXTFN_TEXT)}};
    put_number(fix.columns[0], 1);
    put_text(fix.columns[1], "a\0b", 3);
    put_number(fix.columns[0], 2);
    put_text(fix.columns[1], "ab", 2);
    take(&fix, EXTFN_R, 2);
    assert_selects(&fix, 0, LIMIT, (const int64_t[]){1}, 1, 2);
    extfn_column *result = column_of(EXTFN_NUMBER);
    assert_int_equal(xf_append_refused(&fix.arguments, 0, 1, result, NULL), EXTFN_OK);
    assert_string_equal(xf_column_error_at(result, 0)->message,
                        "argument 1: R text cannot hold U+0000");
    take(&fix, EXTFN_PYTHON, 2);
    assert_selects(&fix, 0, LIMIT, (const int64_t[]){0, 1}, 2, 2);
    extfn_column_free(result);
    fixture_clear(&fix);
}

static void a_value_over_its_limit_is_refused(void **state)
{
    (void)state;
    fixture fix = {.columns = {column_of(EXTFN_TEXT)}};
    size_t size = (size_t)XF_VALUE_LIMIT + 1;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, 'x', size);
    put_text(fix.columns[0], text, size);
    put_text(fix.columns[0], text, size - 1);
    free(text);
    take(&fix, EXTFN_PYTHON, 1);
    assert_selects(&fix, 0, LIMIT, (const int64_t[]){1}, 1, 2);
    extfn_column *result = column_of(EXTFN_NUMBER);
    assert_int_equal(xf_append_refused(&fix.arguments, 0, 1, result, NULL), EXTFN_OK);
    assert_string_equal(xf_column_error_at(result, 0)->message,
                        "argument 0: too large, the limit is 16 MiB");
    extfn_column_free(result);
    fixture_clear(&fix);
}

/* Five times 15 MiB: no value too large, and more than one frame. */
static void a_row_over_the_frame_is_refused(void **state)
{
    (void)state;
    size_t size = (size_t)15 << 20;
    extfn_column *wide = column_of(EXTFN_TEXT);
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, 'x', size);
    put_text(wide, text, size);
    free(text);
    const extfn_column *columns[] = {wide, wide, wide, wide, wide};
    const xf_arguments arguments = {.language = xf_language_get(EXTFN_PYTHON),
                                    .columns = columns,
                                    .column_count = 5,
                                    .rows = 1};
    int64_t selected[1];
    int64_t end = 0;
    assert_int_equal(xf_select(&arguments, 0, 1, selected, &end), 0);
    assert_int_equal(end, 1);
    extfn_column *result = column_of(EXTFN_NUMBER);
    assert_int_equal(xf_append_refused(&arguments, 0, end, result, NULL), EXTFN_OK);
    assert_string_equal(xf_column_error_at(result, 0)->message,
                        "the arguments are too large together, the limit is 64 MiB");
    extfn_column_free(result);
    extfn_column_free(wide);
}

/* 10 MiB each: a call takes no second one, though it always takes the first. */
static void large_rows_make_short_calls(void **state)
{
    (void)state;
    fixture fix = {.columns = {column_of(EXTFN_TEXT)}};
    size_t size = (size_t)10 << 20;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, 'x', size);
    for (int i = 0; i < 3; i++)
        put_text(fix.columns[0], text, size);
    free(text);
    take(&fix, EXTFN_PYTHON, 1);
    assert_selects(&fix, 0, LIMIT, (const int64_t[]){0}, 1, 1);
    assert_selects(&fix, 1, LIMIT, (const int64_t[]){1}, 1, 2);
    fixture_clear(&fix);
}

static void refusing_survives_oom(void **state)
{
    (void)state;
    fixture fix = {.columns = {column_of(EXTFN_NUMBER), column_of(EXTFN_TEXT)}};
    put_error(fix.columns[0], "left");
    put_text(fix.columns[1], "", 0);
    put_number(fix.columns[0], 1);
    put_text(fix.columns[1], "\0", 1);
    take(&fix, EXTFN_R, 2);
    extfn_status status = EXTFN_OK;
    extfn_column *result = column_of(EXTFN_NUMBER);
    XF_OOM_SWEEP(status, status = xf_append_refused(&fix.arguments, 0, 2, result, NULL));
    assert_int_equal(extfn_column_error_count(result), 2);
    extfn_column_free(result);
    fixture_clear(&fix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_rows_are_taken_up_to_the_limit),
        cmocka_unit_test(rows_without_arguments_are_rows),
        cmocka_unit_test(texts_that_are_all_empty_are_rows),
        cmocka_unit_test(errors_are_passed_over_and_the_leftmost_is_the_result),
        cmocka_unit_test(what_a_language_cannot_hold_is_refused_with_its_position),
        cmocka_unit_test(a_value_over_its_limit_is_refused),
        cmocka_unit_test(a_row_over_the_frame_is_refused),
        cmocka_unit_test(large_rows_make_short_calls),
        cmocka_unit_test(refusing_survives_oom),
    };
    return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
