/* Text of anybody in HTML, and templates. SPDX-License-Identifier: MIT */
#include "cli/html.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <string.h>

#define BAD "\xEF\xBF\xBD" /* U+FFFD */

static void hostile_text_is_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *wanted;
    } cases[] = {
        {"", ""},
        {"a b\tc\nd", "a b\tc\nd"},
        {"<script>&\"'`", "&lt;script&gt;&amp;&quot;&#39;&#96;"},
        {"&amp;", "&amp;amp;"},
        {"\x1B[31m\x7F\r\x01", "\xE2\x90\x9B[31m\xE2\x90\xA1\xE2\x90\x8D\xE2\x90\x81"},
        {"\xC2\x85\xC2\x9F\xC2\xA0", BAD BAD "\xC2\xA0"},
        {"\xFF\xC3(\xE2\x82", BAD BAD "(" BAD BAD},
        {"\xED\xA0\x80", BAD BAD BAD}, /* half of a surrogate pair */
        {"\xE2\x80\xAE\xE2\x81\xA7\xE2\x80\x8F", BAD BAD "\xE2\x80\x8F"},
        {"\xEF\xBF\xBF\xEF\xBB\xBFz", BAD BAD "z"},
        {"\xF0\x9F\x98\x80 \xC3\xBC", "\xF0\x9F\x98\x80 \xC3\xBC"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
        extfn_error err = {0};
        assert_int_equal(cli_buf_append_text(&buf, "", &err), EXTFN_OK);
        assert_int_equal(cli_html_append(&buf, cases[i].text, strlen(cases[i].text), &err),
                         EXTFN_OK);
        assert_string_equal(buf.data, cases[i].wanted);
    }
}

static void a_nul_is_a_sign(void **state)
{
    (void)state;
    CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
    extfn_error err = {0};
    assert_int_equal(cli_html_append(&buf, "a\0b", 3, &err), EXTFN_OK);
    assert_string_equal(buf.data, "a\xE2\x90\x80"
                                  "b");
}

static const char template[] = "<!-- what it is -->\n"
                               "<!-- part: one -->\n"
                               "<p title=\"{a_b}\">{text}</p>\n"
                               "<!-- part: two -->\n"
                               "b { color: red } {} {A} { {text}";

static extfn_status fill(const char *part, cli_buf *buf, extfn_error *err)
{
    const cli_html html = cli_html_parse(template);
    const cli_html_field fields[] = {{"text", "{a_b}<", 6}, {"a_b", "\"", 1}};
    return cli_html_append_part(buf, &html, part, fields, 2, err);
}

static void fields_are_filled_once_and_escaped(void **state)
{
    (void)state;
    CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
    extfn_error err = {0};
    assert_int_equal(fill("one", &buf, &err), EXTFN_OK);
    assert_string_equal(buf.data, "<p title=\"&quot;\">{a_b}&lt;</p>\n");
}

static void braces_of_anything_else_stay(void **state)
{
    (void)state;
    CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
    extfn_error err = {0};
    assert_int_equal(fill("two", &buf, &err), EXTFN_OK);
    assert_string_equal(buf.data, "b { color: red } {} {A} { {a_b}&lt;");
}

static void filling_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
        extfn_error err = {0};
        status = fill("one", &buf, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_text_is_text),
        cmocka_unit_test(a_nul_is_a_sign),
        cmocka_unit_test(fields_are_filled_once_and_escaped),
        cmocka_unit_test(braces_of_anything_else_stay),
        cmocka_unit_test(filling_survives_oom),
    };
    return cmocka_run_group_tests_name("cli/html", tests, NULL, NULL);
}
