#include "base/auto.h"
#include "support/column.h"
#include "support/oom.h"
#include "support/unit.h"
#include "value/column.h"

#include <string.h>

static extfn_column *texts_of(const char *const *texts, size_t count)
{
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_TEXT, &column, NULL), EXTFN_OK);
    for (size_t i = 0; i < count; i++) {
        extfn_status status =
            texts[i] ? extfn_column_append_text(column, texts[i], strlen(texts[i]), NULL)
                     : extfn_column_append_error(column, EXTFN_KIND_CUSTOM, "bad", NULL);
        assert_int_equal(status, EXTFN_OK);
    }
    return column;
}

static void assert_texts(const extfn_column *column, const char *const *texts, int64_t count)
{
    assert_int_equal(extfn_column_rows(column), count);
    for (int64_t row = 0; row < count; row++) {
        XF_AUTO(extfn_value_clear) extfn_value value = {0};
        assert_int_equal(extfn_column_get(column, row, &value, NULL), EXTFN_OK);
        assert_int_equal(value.type, texts[row] ? EXTFN_TEXT : EXTFN_ERROR);
        assert_string_equal(texts[row] ? value.as.text.data : value.as.error.message,
                            texts[row] ? texts[row] : "bad");
    }
}

static const char *const all[] = {"a", NULL, "", "long text", NULL, "z"};

static void texts_and_errors_keep_their_rows(void **state)
{
    (void)state;
    for (size_t cut = 0; cut <= 6; cut++) {
        XF_AUTO(free_column) extfn_column *column = texts_of(all, cut);
        XF_AUTO(free_column) extfn_column *more = texts_of(all + cut, 6 - cut);
        assert_int_equal(xf_column_join(column, more, NULL), EXTFN_OK);
        assert_texts(column, all, 6);
        assert_int_equal(extfn_column_error_count(column), 2);
    }
}

static void values_of_fixed_width_are_put_behind_each_other(void **state)
{
    (void)state;
    static const double numbers[] = {1, 2, 3};
    XF_AUTO(free_column) extfn_column *column = NULL;
    XF_AUTO(free_column) extfn_column *more = NULL;
    assert_int_equal(extfn_column_new_numbers(numbers, 2, &column, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_new_numbers(numbers + 2, 1, &more, NULL), EXTFN_OK);
    assert_int_equal(xf_column_join(column, more, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_rows(column), 3);
    assert_memory_equal(extfn_column_numbers(column), numbers, sizeof(numbers));
}

static void a_failed_join_changes_nothing(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    XF_AUTO(free_column) extfn_column *column = texts_of(all, 3);
    XF_AUTO(free_column) extfn_column *more = texts_of(all + 3, 3);
    XF_OOM_SWEEP(status, {
        assert_int_equal(column->rows, 3);
        assert_int_equal(column->bytes.size, 1);
        assert_int_equal(column->error_count, 1);
        assert_int_equal(more->rows, 3);
        assert_int_equal(more->error_count, 1);
        status = xf_column_join(column, more, NULL);
    });
    assert_texts(column, all, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_errors_keep_their_rows),
        cmocka_unit_test(values_of_fixed_width_are_put_behind_each_other),
        cmocka_unit_test(a_failed_join_changes_nothing),
    };
    return cmocka_run_group_tests_name("column_join", tests, NULL, NULL);
}
