#include "base/auto.h"
#include "support/column.h"
#include "support/oom.h"
#include "support/unit.h"
#include "value/json.h"

#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MISSING                                                                                    \
    "{\"__improv__\":\"error\",\"kind\":\"missing_input\",\"message\":\"missing input: x\"}"
#define CUSTOM "{\"__improv__\":\"error\",\"kind\":\"custom\",\"message\":\"a\\u0000b\"}"

static extfn_status read_column(const char *json, extfn_type type, extfn_column **ret_column,
                                extfn_error *err)
{
    xf_json scan = {.data = json, .size = strlen(json)};
    return xf_column_read_json(&scan, type, "x", ret_column, err);
}

static void columns_are_read_and_written(void **state)
{
    (void)state;
    static const struct {
        extfn_type type;
        const char *json, *written;
        int64_t rows, errors;
    } cases[] = {
        {EXTFN_NUMBER, "[]", "[]", 0, 0},
        {EXTFN_NUMBER, " [ 1 , -0 , 1e300 ] ", "[1.0,-0.0,1e+300]", 3, 0},
        {EXTFN_NUMBER, "[1,null,{\"__improv__\":\"number\",\"value\":\"NaN\"}]",
         "[1.0," MISSING ",{\"__improv__\":\"number\",\"value\":\"NaN\"}]", 3, 1},
        {EXTFN_NUMBER, "[" CUSTOM ",2]", "[" CUSTOM ",2.0]", 2, 1},
        {EXTFN_BOOLEAN, "[true,false,null]", "[true,false," MISSING "]", 3, 1},
        {EXTFN_TEXT, "[\"\",\"a\\u0000\",null,\"b\"]", "[\"\",\"a\\u0000\"," MISSING ",\"b\"]", 4,
         1},
        {EXTFN_DATETIME, "[\"1970-01-01T00:00:00Z\"]",
         "[{\"__improv__\":\"datetime\",\"value\":\"1970-01-01T00:00:00Z\"}]", 1, 0},
        {EXTFN_ENUM, "[7,0]",
         "[{\"__improv__\":\"enum\",\"value\":7},{\"__improv__\":\"enum\",\"value\":0}]", 2, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        XF_AUTO(free_column) extfn_column *column = NULL;
        XF_AUTO(xf_buf_clear) xf_buf out = {0};
        extfn_error err = {0};
        if (read_column(cases[i].json, cases[i].type, &column, &err) != EXTFN_OK)
            fail_msg("%s: %s", cases[i].json, err.message);
        assert_int_equal(extfn_column_type(column), cases[i].type);
        assert_int_equal(extfn_column_rows(column), cases[i].rows);
        assert_int_equal(extfn_column_error_count(column), cases[i].errors);
        assert_int_equal(xf_column_write_json(&out, column, NULL), EXTFN_OK);
        assert_int_equal(out.size, strlen(cases[i].written));
        assert_memory_equal(out.data, cases[i].written, out.size);
    }
}

static void errors_name_the_row(void **state)
{
    (void)state;
    static const struct {
        extfn_type type;
        const char *json, *message;
    } cases[] = {
        {EXTFN_NUMBER, "[1,\"2\"]", "row 1: expected Number, got string"},
        {EXTFN_TEXT, "[\"a\",7]", "row 1: expected Text, got number"},
        {EXTFN_ENUM, "[7.5]", "row 0: expected an index from 0 to 4294967295, got 7.5"},
        {EXTFN_NUMBER, "[1,nul]", "row 1: invalid JSON at byte 3: expected null"},
        {EXTFN_NUMBER, "[1,[2]]", "row 1: expected Number, got array"},
        {EXTFN_NUMBER, "[1 2]", "invalid JSON at byte 3: expected ',' or ']'"},
        {EXTFN_NUMBER, "[1,", "row 1: invalid JSON at byte 3: expected a value, got the end"},
        {EXTFN_NUMBER, "7", "invalid JSON at byte 0: expected an array"},
        {EXTFN_ERROR, "[]", "a column cannot hold Error"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        extfn_column *column = NULL;
        extfn_error err = {0};
        assert_int_equal(read_column(cases[i].json, cases[i].type, &column, &err), EXTFN_EINVAL);
        assert_string_equal(err.message, cases[i].message);
        assert_null(column);
    }
}

static extfn_status read_and_write(const char *json, extfn_type type)
{
    XF_AUTO(free_column) extfn_column *column = NULL;
    XF_AUTO(xf_buf_clear) xf_buf out = {0};
    extfn_status status = read_column(json, type, &column, NULL);
    return status == EXTFN_OK ? xf_column_write_json(&out, column, NULL) : status;
}

static void reading_and_writing_survive_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, { status = read_and_write("[1,null," CUSTOM "]", EXTFN_NUMBER); });
    XF_OOM_SWEEP(status, { status = read_and_write("[\"a\",null,\"\",\"b\"]", EXTFN_TEXT); });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_read_and_written),
        cmocka_unit_test(errors_name_the_row),
        cmocka_unit_test(reading_and_writing_survive_oom),
    };
    return cmocka_run_group_tests_name("json_column", tests, NULL, NULL);
}
