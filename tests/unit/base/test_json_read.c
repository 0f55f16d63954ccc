#include "base/auto.h"
#include "base/json.h"
#include "support/oom.h"
#include "support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static extfn_status skip_all(const char *json, size_t size, extfn_error *err)
{
    xf_json scan = {.data = json, .size = size};
    const char *start;
    size_t value_size;
    XF_TRY(xf_json_skip(&scan, &start, &value_size, err));
    return xf_json_end(&scan, err);
}

static void peek_tells_the_kind(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        xf_json_kind kind;
    } cases[] = {
        {" null", XF_JSON_NULL},  {"\ttrue", XF_JSON_BOOLEAN}, {"false", XF_JSON_BOOLEAN},
        {"\n0", XF_JSON_NUMBER},  {"-1", XF_JSON_NUMBER},      {"9", XF_JSON_NUMBER},
        {"\r\"", XF_JSON_STRING}, {"[", XF_JSON_ARRAY},        {"{", XF_JSON_OBJECT},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        xf_json scan = {.data = cases[i].json, .size = strlen(cases[i].json)};
        xf_json_kind kind;
        assert_int_equal(xf_json_peek(&scan, &kind, NULL), EXTFN_OK);
        assert_int_equal(kind, cases[i].kind);
    }
}

static void errors_say_what_and_where(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } cases[] = {
        {"", "invalid JSON at byte 0: expected a value, got the end"},
        {"  ", "invalid JSON at byte 2: expected a value, got the end"},
        {"nul", "invalid JSON at byte 0: expected null"},
        {"tru", "invalid JSON at byte 0: expected true or false"},
        {"truex", "invalid JSON at byte 4: unexpected text after the value"},
        {"NaN", "invalid JSON at byte 0: expected a value"},
        {"'a'", "invalid JSON at byte 0: expected a value"},
        {"+1", "invalid JSON at byte 0: expected a value"},
        {".5", "invalid JSON at byte 0: expected a value"},
        {"-", "invalid JSON at byte 1: expected a digit, got the end"},
        {"-x", "invalid JSON at byte 1: expected a digit"},
        {"01", "invalid JSON at byte 1: unexpected text after the value"},
        {"1.", "invalid JSON at byte 2: expected a digit, got the end"},
        {"1.e5", "invalid JSON at byte 2: expected a digit"},
        {"1e", "invalid JSON at byte 2: expected a digit, got the end"},
        {"1e+", "invalid JSON at byte 3: expected a digit, got the end"},
        {"\"abc", "invalid JSON at byte 4: expected '\"', got the end"},
        {"\"a\nb\"", "invalid JSON at byte 2: raw control character"},
        {"\"a\\x\"", "invalid JSON at byte 3: unknown escape"},
        {"\"\\", "invalid JSON at byte 2: unknown escape, got the end"},
        {"\"\\u12g4\"", "invalid JSON at byte 5: expected a hexadecimal digit"},
        {"\"\\u12", "invalid JSON at byte 5: expected a hexadecimal digit, got the end"},
        {"\"\\ud800\"", "invalid JSON at byte 1: lone surrogate"},
        {"\"a\\udc00\"", "invalid JSON at byte 2: lone surrogate"},
        {"\"\\ud800\\n\"", "invalid JSON at byte 1: lone surrogate"},
        {"\"\\ud800\\u0041\"", "invalid JSON at byte 1: lone surrogate"},
        {"\"\\ud800\\ud800\"", "invalid JSON at byte 1: lone surrogate"},
        {"\"\\udc00\\ud800\"", "invalid JSON at byte 1: lone surrogate"},
        {"\"ab\xff\"", "invalid JSON at byte 3: text is not UTF-8"},
        {"\"\xed\xa0\x80\"", "invalid JSON at byte 1: text is not UTF-8"},
        {"[1", "invalid JSON at byte 2: expected ',' or ']', got the end"},
        {"[1 2]", "invalid JSON at byte 3: expected ',' or ']'"},
        {"[1,]", "invalid JSON at byte 3: expected a value"},
        {"[,1]", "invalid JSON at byte 1: expected a value"},
        {"[1}", "invalid JSON at byte 2: expected ',' or ']'"},
        {"{\"a\" 1}", "invalid JSON at byte 5: expected ':'"},
        {"{\"a\":1 \"b\":2}", "invalid JSON at byte 7: expected ',' or '}'"},
        {"{\"a\":1,}", "invalid JSON at byte 7: expected a string"},
        {"{a:1}", "invalid JSON at byte 1: expected a string"},
        {"{\"a\":}", "invalid JSON at byte 5: expected a value"},
        {"{", "invalid JSON at byte 1: expected a string, got the end"},
        {"{\"a\":[{\"b\":[1,{]}]}", "invalid JSON at byte 15: expected a string"},
        {"1 2", "invalid JSON at byte 2: unexpected text after the value"},
        {"\xef\xbb\xbf"
         "1",
         "invalid JSON at byte 0: expected a value"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        extfn_error err = {0};
        assert_int_equal(skip_all(cases[i].json, strlen(cases[i].json), &err), EXTFN_EINVAL);
        assert_string_equal(err.message, cases[i].message);
    }
}

static void a_nul_byte_has_no_place(void **state)
{
    (void)state;
    assert_int_equal(skip_all("\0", 1, NULL), EXTFN_EINVAL);
    assert_int_equal(skip_all("1\0", 2, NULL), EXTFN_EINVAL);
    assert_int_equal(skip_all("\"\0\"", 3, NULL), EXTFN_EINVAL);
    assert_int_equal(skip_all("\"\\\0\"", 4, NULL), EXTFN_EINVAL);
    assert_int_equal(skip_all("\"\\u000\0\"", 8, NULL), EXTFN_EINVAL);
}

static void whole_values_are_skipped(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "null",
        "true",
        "-0",
        "1.5e-7",
        "\"\\u00e9\\ud83d\\ude00\"",
        "[]",
        "{}",
        "[ ]",
        "{ }",
        "[1,[2,[],{}],\"]\"]",
        "{\"a\":{\"b\":[null,true]},\"\":{}}",
        "[\n1 ,\t2\r]",
        "[[[[\"[\"],[{\"{\":\"[\"}]]]]",
        "1e999",
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char json[100];
        size_t size = strlen(cases[i]);
        (void)snprintf(json, sizeof(json), " %s ,", cases[i]);
        xf_json scan = {.data = json, .size = size + 3};
        const char *start;
        size_t value_size;
        extfn_error err = {0};
        if (xf_json_skip(&scan, &start, &value_size, &err) != EXTFN_OK)
            fail_msg("%s: %s", cases[i], err.message);
        assert_ptr_equal(start, json + 1);
        assert_int_equal(value_size, size);
        assert_int_equal(scan.at, size + 1);
        assert_int_equal(scan.depth, 0);
    }
}

static void skip_goes_no_further_than_its_value(void **state)
{
    (void)state;
    xf_json scan = {.data = "[[1],2]", .size = 7};
    bool has = false;
    const char *start;
    size_t size;
    assert_int_equal(xf_json_enter_array(&scan, NULL), EXTFN_OK);
    assert_int_equal(xf_json_next_element(&scan, &has, NULL), EXTFN_OK);
    assert_int_equal(xf_json_skip(&scan, &start, &size, NULL), EXTFN_OK);
    assert_int_equal(size, 3);
    assert_int_equal(scan.depth, 1);
    assert_int_equal(xf_json_next_element(&scan, &has, NULL), EXTFN_OK);
    assert_true(has);
}

static void fill_nested(char *json, size_t depth, char open, char close)
{
    memset(json, open, depth);
    memset(json + depth, close, depth);
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    const size_t limit = XF_JSON_DEPTH_LIMIT;
    char json[2 * (XF_JSON_DEPTH_LIMIT + 1)];
    extfn_error err = {0};
    fill_nested(json, limit, '[', ']');
    assert_int_equal(skip_all(json, 2 * limit, &err), EXTFN_OK);
    fill_nested(json, limit + 1, '[', ']');
    assert_int_equal(skip_all(json, sizeof(json), &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "invalid JSON at byte 64: nested too deeply");
}

static void a_million_brackets_are_an_error(void **state)
{
    (void)state;
    size_t size = 1000000;
    XF_AUTO_FREE char *json = xf_alloc(size);
    assert_non_null(json);
    memset(json, '[', size);
    assert_int_equal(skip_all(json, size, NULL), EXTFN_EINVAL);
    for (size_t i = 0; i < size; i++)
        json[i] = "{\"\":"[i % 4];
    assert_int_equal(skip_all(json, size, NULL), EXTFN_EINVAL);
}

static void strings_are_decoded(void **state)
{
    (void)state;
    static const struct {
        const char *json, *text;
        size_t size;
    } cases[] = {
        {"\"\"", "", 0},
        {" \"a b\"", "a b", 3},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8},
        {"\"a\\u0000b\"", "a\0b", 3},
        {"\"\\u007f\\u0080\\u07ff\\u0800\\uFFFF\"", "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf",
         11},
        {"\"\\uD83D\\ude00\"", "\xf0\x9f\x98\x80", 4},
        {"\"\\ud800\\udc00\\udbff\\udfff\"", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 8},
        {"\"\\ud7ff\\ue000\"", "\xed\x9f\xbf\xee\x80\x80", 6},
        {"\"\xc3\xa9\x7f\"", "\xc3\xa9\x7f", 3},
    };
    XF_AUTO(xf_buf_clear) xf_buf text = {0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        xf_json scan = {.data = cases[i].json, .size = strlen(cases[i].json)};
        assert_int_equal(xf_json_read_string(&scan, &text, NULL), EXTFN_OK);
        assert_int_equal(text.size, cases[i].size);
        if (text.size)
            assert_memory_equal(text.data, cases[i].text, text.size);
        assert_int_equal(xf_json_end(&scan, NULL), EXTFN_OK);
    }
}

static void the_limit_of_the_text_holds(void **state)
{
    (void)state;
    XF_AUTO(xf_buf_clear) xf_buf text = {.limit = 3};
    xf_json scan = {.data = "\"abcd\"", .size = 6};
    assert_int_equal(xf_json_read_string(&scan, &text, NULL), EXTFN_EINVAL);
    scan.at = 0;
    scan.size = 5;
    scan.data = "\"abc\"";
    assert_int_equal(xf_json_read_string(&scan, &text, NULL), EXTFN_OK);
}

static void numbers_are_the_nearest_double(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        double number;
    } cases[] = {
        {"0", 0},
        {" -12.5e1 ", -125},
        {"1E2", 100},
        {"18446744073709551616", 18446744073709551616.0},
        {"0.1000000000000000055511151231257827021181583404541015625", 0.1},
        {"1e-999", 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        xf_json scan = {.data = cases[i].json, .size = strlen(cases[i].json)};
        double number = 99;
        assert_int_equal(xf_json_read_number(&scan, &number, NULL), EXTFN_OK);
        assert_true(number == cases[i].number);
        assert_int_equal(xf_json_end(&scan, NULL), EXTFN_OK);
    }
    xf_json scan = {.data = "-0", .size = 2};
    double number = 99;
    assert_int_equal(xf_json_read_number(&scan, &number, NULL), EXTFN_OK);
    assert_true(number == 0 && signbit(number));
}

static void a_number_beyond_the_range_is_refused(void **state)
{
    (void)state;
    xf_json scan = {.data = "[1e999]", .size = 7, .at = 1};
    extfn_error err = {0};
    double number = 99;
    assert_int_equal(xf_json_read_number(&scan, &number, &err), EXTFN_EINVAL);
    assert_string_equal(err.message,
                        "invalid JSON at byte 1: number '1e999' is beyond the range of "
                        "a double");
    assert_true(number == 99);
}

static void readers_refuse_other_kinds(void **state)
{
    (void)state;
    extfn_error err = {0};
    bool boolean;
    double number;
    XF_AUTO(xf_buf_clear) xf_buf text = {0};
    xf_json scan = {.data = "null", .size = 4};
    assert_int_equal(xf_json_read_boolean(&scan, &boolean, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "invalid JSON at byte 0: expected true or false");
    assert_int_equal(xf_json_read_number(&scan, &number, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "invalid JSON at byte 0: expected a number");
    assert_int_equal(xf_json_read_string(&scan, &text, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "invalid JSON at byte 0: expected a string");
    assert_int_equal(xf_json_enter_array(&scan, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "invalid JSON at byte 0: expected an array");
    assert_int_equal(xf_json_enter_object(&scan, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "invalid JSON at byte 0: expected an object");
}

static void an_object_is_read_member_by_member(void **state)
{
    (void)state;
    const char *json = " { \"a\" : [ true , false ] , \"\\u0062\" : -1 } ";
    xf_json scan = {.data = json, .size = strlen(json)};
    XF_AUTO(xf_buf_clear) xf_buf name = {0};
    bool has = false;
    bool boolean = false;
    double number = 0;
    assert_int_equal(xf_json_enter_object(&scan, NULL), EXTFN_OK);
    assert_int_equal(xf_json_next_member(&scan, &name, &has, NULL), EXTFN_OK);
    assert_true(has && name.size == 1 && name.data[0] == 'a');
    assert_int_equal(xf_json_enter_array(&scan, NULL), EXTFN_OK);
    assert_int_equal(xf_json_next_element(&scan, &has, NULL), EXTFN_OK);
    assert_int_equal(xf_json_read_boolean(&scan, &boolean, NULL), EXTFN_OK);
    assert_true(has && boolean);
    assert_int_equal(xf_json_next_element(&scan, &has, NULL), EXTFN_OK);
    assert_int_equal(xf_json_read_boolean(&scan, &boolean, NULL), EXTFN_OK);
    assert_true(has && !boolean);
    assert_int_equal(xf_json_next_element(&scan, &has, NULL), EXTFN_OK);
    assert_false(has);
    assert_int_equal(xf_json_next_member(&scan, &name, &has, NULL), EXTFN_OK);
    assert_true(has && name.size == 1 && name.data[0] == 'b');
    assert_int_equal(xf_json_read_number(&scan, &number, NULL), EXTFN_OK);
    assert_true(number == -1);
    assert_int_equal(xf_json_next_member(&scan, &name, &has, NULL), EXTFN_OK);
    assert_false(has);
    assert_int_equal(scan.depth, 0);
    assert_int_equal(xf_json_end(&scan, NULL), EXTFN_OK);
}

static extfn_status read_string(const char *json, size_t size)
{
    XF_AUTO(xf_buf_clear) xf_buf text = {0};
    xf_json scan = {.data = json, .size = size};
    return xf_json_read_string(&scan, &text, NULL);
}

static extfn_status read_number(const char *json, size_t size)
{
    double number;
    xf_json scan = {.data = json, .size = size};
    return xf_json_read_number(&scan, &number, NULL);
}

static void reading_survives_oom(void **state)
{
    (void)state;
    char json[302] = "\"";
    memset(json + 1, 'x', 300);
    json[301] = '"';
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, { status = read_string(json, sizeof(json)); });
    memset(json, '1', sizeof(json));
    XF_OOM_SWEEP(status, { status = read_number(json, sizeof(json)); });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peek_tells_the_kind),
        cmocka_unit_test(errors_say_what_and_where),
        cmocka_unit_test(a_nul_byte_has_no_place),
        cmocka_unit_test(whole_values_are_skipped),
        cmocka_unit_test(skip_goes_no_further_than_its_value),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(a_million_brackets_are_an_error),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(the_limit_of_the_text_holds),
        cmocka_unit_test(numbers_are_the_nearest_double),
        cmocka_unit_test(a_number_beyond_the_range_is_refused),
        cmocka_unit_test(readers_refuse_other_kinds),
        cmocka_unit_test(an_object_is_read_member_by_member),
        cmocka_unit_test(reading_survives_oom),
    };
    return cmocka_run_group_tests_name("json_read", tests, NULL, NULL);
}
