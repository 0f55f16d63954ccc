#include "base/auto.h"
#include "support/oom.h"
#include "support/unit.h"

#include <extfn/value.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MARKED(mark, value) "{\"__improv__\":\"" mark "\",\"value\":" value "}"
#define ERROR(kind, message)                                                                       \
    "{\"__improv__\":\"error\",\"kind\":\"" kind "\",\"message\":\"" message "\"}"

static void free_text(char **slot)
{
    extfn_text_free(*slot);
}

static extfn_value read_value(const char *json, extfn_type type)
{
    extfn_error err = {0};
    extfn_value value = {0};
    if (extfn_value_from_json(json, strlen(json), type, &value, &err) != EXTFN_OK)
        fail_msg("%s: %s", json, err.message);
    return value;
}

static void assert_writes(const extfn_value *value, const char *expected)
{
    XF_AUTO(free_text) char *json = NULL;
    assert_int_equal(extfn_value_to_json(value, &json, NULL), EXTFN_OK);
    assert_string_equal(json, expected);
}

static void values_are_read_and_written(void **state)
{
    (void)state;
    static const struct {
        extfn_type type;
        const char *json, *written;
    } cases[] = {
        {EXTFN_NUMBER, "5", "5.0"},
        {EXTFN_NUMBER, "-0", "-0.0"},
        {EXTFN_NUMBER, " 1.5 ", "1.5"},
        {EXTFN_NUMBER, "9007199254740991", "9007199254740991.0"},
        {EXTFN_NUMBER, "9007199254740993", "9007199254740992.0"},
        {EXTFN_NUMBER, "18446744073709551616", "1.8446744073709552e+19"},
        {EXTFN_NUMBER, "1.7976931348623157e308", "1.7976931348623157e+308"},
        {EXTFN_NUMBER, "5e-324", "4.94065645841247e-324"},
        {EXTFN_NUMBER, MARKED("number", "\"NaN\""), MARKED("number", "\"NaN\"")},
        {EXTFN_NUMBER, MARKED("number", "\"Infinity\""), MARKED("number", "\"Infinity\"")},
        {EXTFN_NUMBER, MARKED("number", "\"-Infinity\""), MARKED("number", "\"-Infinity\"")},
        {EXTFN_BOOLEAN, "true", "true"},
        {EXTFN_BOOLEAN, "false", "false"},
        {EXTFN_TEXT, "\"\"", "\"\""},
        {EXTFN_TEXT, "\"a\\u0000\\ud83d\\ude00\\/\"", "\"a\\u0000\xf0\x9f\x98\x80/\""},
        {EXTFN_TEXT, "\"2025-01-02T03:04:05Z\"", "\"2025-01-02T03:04:05Z\""},
        {EXTFN_DATETIME, MARKED("datetime", "\"2025-01-02T03:04:05Z\""),
         MARKED("datetime", "\"2025-01-02T03:04:05Z\"")},
        {EXTFN_DATETIME, "\"2025-01-02T03:04:05.5+01:00\"",
         MARKED("datetime", "\"2025-01-02T02:04:05.500Z\"")},
        {EXTFN_DATETIME, "\"0001-01-01T00:00:00.000001Z\"",
         MARKED("datetime", "\"0001-01-01T00:00:00.000001Z\"")},
        {EXTFN_ENUM, "7", MARKED("enum", "7")},
        {EXTFN_ENUM, "7.0", MARKED("enum", "7")},
        {EXTFN_ENUM, "-0", MARKED("enum", "0")},
        {EXTFN_ENUM, "4294967295", MARKED("enum", "4294967295")},
        {EXTFN_ENUM, MARKED("enum", "7"), MARKED("enum", "7")},
        {EXTFN_ENUM, " { \"value\" : 7 , \"__improv__\" : \"enum\" } ", MARKED("enum", "7")},
        {EXTFN_ENUM, "{\"\\u0076alue\":7,\"__improv__\":\"en\\u0075m\"}", MARKED("enum", "7")},
        {EXTFN_ERROR, ERROR("custom", "a\\u0000b"), ERROR("custom", "a\\u0000b")},
        {EXTFN_NUMBER, ERROR("division_by_zero", "x"), ERROR("division_by_zero", "x")},
        {EXTFN_TEXT, ERROR("missing_input", ""), ERROR("missing_input", "")},
        {EXTFN_DATETIME, ERROR("type_mismatch", ""), ERROR("type_mismatch", "")},
        {EXTFN_ENUM, "{\"message\":\"m\",\"kind\":\"dimension_mismatch\",\"__improv__\":\"error\"}",
         ERROR("dimension_mismatch", "m")},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        XF_AUTO(extfn_value_clear) extfn_value value = read_value(cases[i].json, cases[i].type);
        assert_writes(&value, cases[i].written);
        XF_AUTO(extfn_value_clear) extfn_value again = read_value(cases[i].written, cases[i].type);
        assert_true(extfn_value_is_equal(&value, &again));
    }
}

static void without_a_type_the_json_decides(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        extfn_type type;
    } cases[] = {
        {"7", EXTFN_NUMBER},
        {"true", EXTFN_BOOLEAN},
        {"\"2025-01-02T03:04:05Z\"", EXTFN_TEXT},
        {MARKED("datetime", "\"2025-01-02T03:04:05Z\""), EXTFN_DATETIME},
        {MARKED("enum", "7"), EXTFN_ENUM},
        {MARKED("number", "\"NaN\""), EXTFN_NUMBER},
        {ERROR("custom", "m"), EXTFN_ERROR},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        XF_AUTO(extfn_value_clear) extfn_value value = read_value(cases[i].json, EXTFN_NONE);
        assert_int_equal(value.type, cases[i].type);
    }
}

static void edge_numbers_cross_bit_for_bit(void **state)
{
    (void)state;
    static const double numbers[] = {
        0.0,
        -0.0,
        0x1p-1074,
        -0x1p-1074,
        0x0.fffffffffffffp-1022,
        DBL_MIN,
        DBL_MAX,
        -DBL_MAX,
        0.1,
        9007199254740991.0,
        9007199254740992.0,
        9007199254740994.0,
        0.1 + 0.2,
        1e15,
        123456789012345.67,
        (double)INFINITY,
        -(double)INFINITY,
        (double)NAN,
    };
    for (size_t i = 0; i < COUNT(numbers); i++) {
        extfn_value value = extfn_value_number(numbers[i]);
        XF_AUTO(free_text) char *json = NULL;
        assert_int_equal(extfn_value_to_json(&value, &json, NULL), EXTFN_OK);
        extfn_value again = read_value(json, EXTFN_NUMBER);
        assert_true(extfn_value_is_equal(&value, &again));
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        extfn_type type;
        const char *json, *message;
    } cases[] = {
        {EXTFN_NUMBER, "\"3\"", "expected Number, got string"},
        {EXTFN_NUMBER, "true", "expected Number, got boolean"},
        {EXTFN_NUMBER, "null", "expected Number, got null"},
        {EXTFN_NUMBER, "[1]", "expected Number, got array"},
        {EXTFN_NUMBER, MARKED("enum", "7"), "expected Number, got Enum"},
        {EXTFN_BOOLEAN, "1", "expected Boolean, got number"},
        {EXTFN_TEXT, "1", "expected Text, got number"},
        {EXTFN_TEXT, MARKED("datetime", "\"2025-01-02T03:04:05Z\""), "expected Text, got DateTime"},
        {EXTFN_DATETIME, "0", "expected DateTime, got number"},
        {EXTFN_ENUM, "\"7\"", "expected Enum, got string"},
        {EXTFN_ERROR, "7", "expected Error, got number"},
        {EXTFN_NONE, "null", "expected a value, got null"},
        {EXTFN_NONE, "[]", "expected a value, got array"},
        {EXTFN_ENUM, "7.5", "expected an index from 0 to 4294967295, got 7.5"},
        {EXTFN_ENUM, "-1", "expected an index from 0 to 4294967295, got -1.0"},
        {EXTFN_ENUM, "4294967296", "expected an index from 0 to 4294967295, got 4294967296.0"},
        {EXTFN_ENUM, MARKED("enum", "1e300"), "expected an index from 0 to 4294967295, got 1e+300"},
        {EXTFN_DATETIME, "\"2016-12-31T23:59:60Z\"",
         "datetime '2016-12-31T23:59:60Z': a leap second cannot be held"},
        {EXTFN_DATETIME, MARKED("datetime", "\"2025-01-02T03:04:05.1234567Z\""),
         "datetime '2025-01-02T03:04:05.1234567Z': more than 6 decimals cannot be held"},
        {EXTFN_NUMBER, "1e999",
         "invalid JSON at byte 0: number '1e999' is beyond the range of a double"},
        {EXTFN_NUMBER, "5 x", "invalid JSON at byte 2: unexpected text after the value"},
        {EXTFN_TEXT, "\"5\" x", "invalid JSON at byte 4: unexpected text after the value"},
        {EXTFN_TEXT, "\"\\ud800\"", "invalid JSON at byte 1: lone surrogate"},
        {EXTFN_NUMBER, "", "invalid JSON at byte 0: expected a value, got the end"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        extfn_error err = {0};
        extfn_value value = {0};
        assert_int_equal(extfn_value_from_json(cases[i].json, strlen(cases[i].json), cases[i].type,
                                               &value, &err),
                         EXTFN_EINVAL);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(value.type, EXTFN_NONE);
    }
}

static void marked_objects_are_read_strictly(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } cases[] = {
        {"{}", "expected Number, got object without '__improv__'"},
        {"{\"value\":1}", "expected Number, got object without '__improv__'"},
        {"{\"a\":1}", "expected Number, got object with unknown member 'a'"},
        {"{\"\":1}", "expected Number, got object with unknown member ''"},
        {"{\"__improv__\":\"number\",\"value\":\"NaN\",\"x\":1}",
         "expected Number, got object with unknown member 'x'"},
        {"{\"__improv__\":\"number\",\"value\":\"NaN\",\"value\":\"NaN\"}",
         "expected Number, got object with duplicate member 'value'"},
        {"{\"__improv__\":\"number\",\"__improv__\":\"number\",\"value\":\"NaN\"}",
         "expected Number, got object with duplicate member '__improv__'"},
        {"{\"__improv__\":\"number\"}", "number object lacks 'value'"},
        {"{\"__improv__\":\"number\",\"value\":\"NaN\",\"kind\":\"custom\"}",
         "number object cannot have 'kind'"},
        {"{\"__improv__\":\"error\",\"kind\":\"custom\"}", "error object lacks 'message'"},
        {"{\"__improv__\":\"error\",\"message\":\"m\"}", "error object lacks 'kind'"},
        {"{\"__improv__\":\"error\",\"value\":1,\"kind\":\"custom\",\"message\":\"m\"}",
         "error object cannot have 'value'"},
        {ERROR("fatal", "m"), "error kind 'fatal' is unknown"},
        {"{\"__improv__\":\"error\",\"kind\":\"custom\",\"message\":7}",
         "invalid JSON at byte 48: expected a string"},
        {MARKED("number", "\"nan\""), "expected \"NaN\", \"Infinity\" or \"-Infinity\", got 'nan'"},
        {MARKED("number", "5"), "invalid JSON at byte 31: expected a string"},
        {MARKED("text", "\"a\""), "\"__improv__\" cannot be 'text'"},
        {"{\"__improv__\":7,\"value\":1}", "invalid JSON at byte 14: expected a string"},
        {"{\"__improv__\":\"number\",\"value\":[1,}", "invalid JSON at byte 34: expected a value"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        extfn_error err = {0};
        extfn_value value = {0};
        assert_int_equal(extfn_value_from_json(cases[i].json, strlen(cases[i].json), EXTFN_NUMBER,
                                               &value, &err),
                         EXTFN_EINVAL);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(value.type, EXTFN_NONE);
    }
}

static void what_has_no_json_is_refused(void **state)
{
    (void)state;
    char *json = NULL;
    extfn_error err = {0};
    char message[] = "m";
    const extfn_value values[] = {
        {0},
        extfn_value_datetime(INT64_MIN),
        {.type = EXTFN_ERROR,
         .as.error = {.message = message, .size = 1, .kind = (extfn_error_kind)9}},
        {.type = (extfn_type)77},
    };
    static const char *const messages[] = {"no value has no JSON",
                                           "datetime is not within the years 0001 to 9999",
                                           "error kind 9 is unknown", "unknown type has no JSON"};
    for (size_t i = 0; i < COUNT(values); i++) {
        assert_int_equal(extfn_value_to_json(&values[i], &json, &err), EXTFN_EINVAL);
        assert_string_equal(err.message, messages[i]);
    }
    assert_null(json);
}

static extfn_status read_and_write(const char *json)
{
    XF_AUTO(extfn_value_clear) extfn_value value = {0};
    XF_AUTO(free_text) char *text = NULL;
    extfn_status status = extfn_value_from_json(json, strlen(json), EXTFN_NONE, &value, NULL);
    return status == EXTFN_OK ? extfn_value_to_json(&value, &text, NULL) : status;
}

static void reading_and_writing_survive_oom(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "7",
        "\"abc\"",
        MARKED("number", "\"NaN\""),
        MARKED("datetime", "\"2025-01-02T03:04:05Z\""),
        ERROR("custom", "message"),
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        extfn_status status = EXTFN_OK;
        XF_OOM_SWEEP(status, { status = read_and_write(cases[i]); });
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read_and_written),
        cmocka_unit_test(without_a_type_the_json_decides),
        cmocka_unit_test(edge_numbers_cross_bit_for_bit),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(marked_objects_are_read_strictly),
        cmocka_unit_test(what_has_no_json_is_refused),
        cmocka_unit_test(reading_and_writing_survive_oom),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
