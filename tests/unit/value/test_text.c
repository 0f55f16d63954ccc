#include "base/auto.h"
#include "support/oom.h"
#include "support/unit.h"

#include <extfn/value.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void free_text(char **slot)
{
    extfn_text_free(*slot);
}

static void assert_formats(const extfn_value *value, const char *expected)
{
    XF_AUTO(free_text) char *text = NULL;
    size_t size = 99;
    assert_int_equal(extfn_value_format(value, &text, &size, NULL), EXTFN_OK);
    assert_string_equal(text, expected);
    assert_int_equal(size, strlen(expected));
}

static void assert_parses(const char *text, extfn_value expected, const char *formatted)
{
    extfn_error err = {0};
    XF_AUTO(extfn_value_clear) extfn_value value = {0};
    if (extfn_value_parse(text, strlen(text), expected.type, &value, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    if (!extfn_value_is_equal(&value, &expected))
        fail_msg("%s was read as another value", text);
    assert_formats(&value, formatted);
}

static void numbers_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double number;
        const char *formatted;
    } cases[] = {
        {"3", 3, "3.0"},
        {"-1e9", -1e9, "-1000000000.0"},
        {"-0", -0.0, "-0.0"},
        {"NaN", (double)NAN, "NaN"},
        {"nan", (double)NAN, "NaN"},
        {"inf", (double)INFINITY, "inf"},
        {"+Inf", (double)INFINITY, "inf"},
        {"-INF", -(double)INFINITY, "-inf"},
        {"Infinity", (double)INFINITY, "inf"},
        {"-infinity", -(double)INFINITY, "-inf"},
        {"5e-324", 0x1p-1074, "4.94065645841247e-324"},
        {"1.7976931348623157e308", DBL_MAX, "1.7976931348623157e+308"},
        {"9007199254740993", 9007199254740992.0, "9007199254740992.0"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_parses(cases[i].text, extfn_value_number(cases[i].number), cases[i].formatted);
}

static void booleans_datetimes_and_enums_are_read(void **state)
{
    (void)state;
    assert_parses("true", extfn_value_boolean(true), "true");
    assert_parses("FALSE", extfn_value_boolean(false), "false");
    assert_parses("True", extfn_value_boolean(true), "true");
    assert_parses("1970-01-01T01:00:00+01:00", extfn_value_datetime(0), "1970-01-01T00:00:00Z");
    assert_parses("1970-01-01 00:00:00.5Z", extfn_value_datetime(500000),
                  "1970-01-01T00:00:00.500Z");
    assert_parses("0", extfn_value_enum(0), "0");
    assert_parses("007", extfn_value_enum(7), "7");
    assert_parses("4294967295", extfn_value_enum(UINT32_MAX), "4294967295");
}

static void text_is_taken_as_it_is(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        size_t size;
    } cases[] = {{"", 0}, {" a ", 3}, {"true", 4}, {"a\0b", 3}, {"\xf0\x9f\x98\x80", 4}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        XF_AUTO(extfn_value_clear) extfn_value value = {0};
        XF_AUTO(free_text) char *text = NULL;
        size_t size = 99;
        assert_int_equal(extfn_value_parse(cases[i].data, cases[i].size, EXTFN_TEXT, &value, NULL),
                         EXTFN_OK);
        assert_int_equal(extfn_value_format(&value, &text, &size, NULL), EXTFN_OK);
        assert_int_equal(size, cases[i].size);
        assert_memory_equal(text, cases[i].data, size + 1);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const struct {
        extfn_type type;
        const char *text, *message;
    } cases[] = {
        {EXTFN_NUMBER, "", "expected a number, got ''"},
        {EXTFN_NUMBER, "abc", "expected a number, got 'abc'"},
        {EXTFN_NUMBER, " 3", "expected a number, got ' 3'"},
        {EXTFN_NUMBER, "-nan", "expected a number, got '-nan'"},
        {EXTFN_NUMBER, "-", "expected a number, got '-'"},
        {EXTFN_NUMBER, "1e999", "number '1e999' is beyond the range of a double"},
        {EXTFN_BOOLEAN, "yes", "expected true or false, got 'yes'"},
        {EXTFN_BOOLEAN, "1", "expected true or false, got '1'"},
        {EXTFN_BOOLEAN, "", "expected true or false, got ''"},
        {EXTFN_ENUM, "", "expected an index from 0 to 4294967295, got ''"},
        {EXTFN_ENUM, "-1", "expected an index from 0 to 4294967295, got '-1'"},
        {EXTFN_ENUM, "7.0", "expected an index from 0 to 4294967295, got '7.0'"},
        {EXTFN_ENUM, "4294967296", "expected an index from 0 to 4294967295, got '4294967296'"},
        {EXTFN_ENUM, "18446744073709551616",
         "expected an index from 0 to 4294967295, got '18446744073709551616'"},
        {EXTFN_DATETIME, "today", "datetime 'today': expected the form 2025-01-02T03:04:05Z"},
        {EXTFN_TEXT, "a\xff", "text is not UTF-8 at byte 1"},
        {EXTFN_ERROR, "x", "text cannot be read as Error"},
        {EXTFN_NONE, "x", "text cannot be read as no value"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        extfn_error err = {0};
        extfn_value value = {0};
        assert_int_equal(extfn_value_parse(cases[i].text, strlen(cases[i].text), cases[i].type,
                                           &value, &err),
                         EXTFN_EINVAL);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(value.type, EXTFN_NONE);
    }
}

static void no_text_is_an_empty_text(void **state)
{
    (void)state;
    XF_AUTO(extfn_value_clear) extfn_value value = {0};
    assert_int_equal(extfn_value_parse(NULL, 0, EXTFN_NUMBER, &value, NULL), EXTFN_EINVAL);
    assert_int_equal(extfn_value_parse(NULL, 0, EXTFN_DATETIME, &value, NULL), EXTFN_EINVAL);
    assert_int_equal(extfn_value_parse(NULL, 0, EXTFN_TEXT, &value, NULL), EXTFN_OK);
    assert_formats(&value, "");
}

static void an_error_is_written_as_its_message(void **state)
{
    (void)state;
    XF_AUTO(extfn_value_clear) extfn_value value = {0};
    assert_int_equal(extfn_value_error(EXTFN_KIND_CUSTOM, "nope", &value, NULL), EXTFN_OK);
    assert_formats(&value, "nope");
}

static void what_has_no_text_is_refused(void **state)
{
    (void)state;
    char *text = NULL;
    extfn_error err = {0};
    extfn_value empty = {0};
    extfn_value late = extfn_value_datetime(INT64_MAX);
    assert_int_equal(extfn_value_format(&empty, &text, NULL, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "no value has no text");
    assert_int_equal(extfn_value_format(&late, &text, NULL, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "datetime is not within the years 0001 to 9999");
    assert_null(text);
}

static void parsing_and_formatting_survive_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    extfn_value value = {0};
    char *text = NULL;
    XF_OOM_SWEEP(status, { status = extfn_value_parse("abc", 3, EXTFN_TEXT, &value, NULL); });
    XF_OOM_SWEEP(status, { status = extfn_value_format(&value, &text, NULL, NULL); });
    assert_string_equal(text, "abc");
    extfn_value_clear(&value);
    extfn_text_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read),
        cmocka_unit_test(booleans_datetimes_and_enums_are_read),
        cmocka_unit_test(text_is_taken_as_it_is),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(no_text_is_an_empty_text),
        cmocka_unit_test(an_error_is_written_as_its_message),
        cmocka_unit_test(what_has_no_text_is_refused),
        cmocka_unit_test(parsing_and_formatting_survive_oom),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
