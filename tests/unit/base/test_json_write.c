#include "base/auto.h"
#include "base/json.h"
#include "support/oom.h"
#include "support/unit.h"

#include <math.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void assert_content(const xf_buf *buf, const char *expected)
{
    assert_int_equal(buf->size, strlen(expected));
    assert_memory_equal(buf->data, expected, buf->size);
}

static void strings_are_escaped_where_they_must_be(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        size_t size;
        const char *json;
    } cases[] = {
        {NULL, 0, "\"\""},
        {"abc", 3, "\"abc\""},
        {"a\"b\\c/", 6, "\"a\\\"b\\\\c/\""},
        {"\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\""},
        {"\0", 1, "\"\\u0000\""},
        {"x\0\x1fy\x7f", 5, "\"x\\u0000\\u001fy\x7f\""},
        {"\xc3\xa9\xf0\x9f\x98\x80", 6, "\"\xc3\xa9\xf0\x9f\x98\x80\""},
        {"\n", 1, "\"\\n\""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        XF_AUTO(xf_buf_clear) xf_buf out = {0};
        assert_int_equal(xf_json_write_string(&out, cases[i].data, cases[i].size, NULL), EXTFN_OK);
        assert_content(&out, cases[i].json);
    }
}

static void text_that_is_not_utf8_is_refused(void **state)
{
    (void)state;
    XF_AUTO(xf_buf_clear) xf_buf out = {0};
    extfn_error err = {0};
    assert_int_equal(xf_json_write_string(&out, "ab\xff", 3, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "text is not UTF-8 at byte 2");
    assert_int_equal(out.size, 0);
}

static void numbers_must_be_finite(void **state)
{
    (void)state;
    XF_AUTO(xf_buf_clear) xf_buf out = {0};
    assert_int_equal(xf_json_write_number(&out, (double)NAN, NULL), EXTFN_EINVAL);
    assert_int_equal(xf_json_write_number(&out, -(double)INFINITY, NULL), EXTFN_EINVAL);
    assert_int_equal(out.size, 0);
    assert_int_equal(xf_json_write_number(&out, -0.0, NULL), EXTFN_OK);
    assert_content(&out, "-0.0");
}

static void pieces_append(void **state)
{
    (void)state;
    XF_AUTO(xf_buf_clear) xf_buf out = {0};
    assert_int_equal(xf_json_write_raw(&out, "{\"a\":", NULL), EXTFN_OK);
    assert_int_equal(xf_json_write_number(&out, 1.5, NULL), EXTFN_OK);
    assert_int_equal(xf_json_write_raw(&out, "}", NULL), EXTFN_OK);
    assert_content(&out, "{\"a\":1.5}");
}

static void writing_survives_oom(void **state)
{
    (void)state;
    char text[1000];
    memset(text, '\n', sizeof(text));
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_buf_clear) xf_buf out = {0};
        status = xf_json_write_string(&out, text, sizeof(text), NULL);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_escaped_where_they_must_be),
        cmocka_unit_test(text_that_is_not_utf8_is_refused),
        cmocka_unit_test(numbers_must_be_finite),
        cmocka_unit_test(pieces_append),
        cmocka_unit_test(writing_survives_oom),
    };
    return cmocka_run_group_tests_name("json_write", tests, NULL, NULL);
}
