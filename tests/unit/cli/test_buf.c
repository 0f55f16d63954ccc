/* Growing text and making foreign bytes fit to show. SPDX-License-Identifier: MIT */
#include "cli/buf.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <string.h>

typedef struct example {
    const char *in;
    const char *json;
    const char *plain;
} example;

static const example examples[] = {
    {"", "\"\"", ""},
    {"plain", "\"plain\"", "plain"},
    {"a\"b\\c", "\"a\\\"b\\\\c\"", "a\"b\\c"},
    {"a\nb\tc\r", "\"a\\nb\\tc\\r\"", "a\\nb\\x09c\\x0d"},
    {"\x1b[31m\x7f", "\"\\u001b[31m\\u007f\"", "\\x1b[31m\\x7f"},
    {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"",
     "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"\xc2\x9b", "\"\\u009b\"", "\\x9b"},
    {"\xff", "\"\\ufffd\"", "\\xff"},
    {"\xc3", "\"\\ufffd\"", "\\xc3"},
    {"\xe2\x82", "\"\\ufffd\\ufffd\"", "\\xe2\\x82"},
    {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"", "\\xed\\xa0\\x80"},
    {"\xc0\xaf", "\"\\ufffd\\ufffd\"", "\\xc0\\xaf"},
    {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"", "\\xf4\\x90\\x80\\x80"},
};

static void bytes_become_json_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
        extfn_error err = {0};
        assert_int_equal(cli_buf_append_json(&buf, examples[i].in, strlen(examples[i].in), &err),
                         EXTFN_OK);
        assert_string_equal(buf.data, examples[i].json);
    }
}

static void bytes_become_one_plain_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
        extfn_error err = {0};
        assert_int_equal(cli_buf_append_text(&buf, "", &err), EXTFN_OK);
        assert_int_equal(cli_buf_append_plain(&buf, examples[i].in, strlen(examples[i].in), &err),
                         EXTFN_OK);
        assert_string_equal(buf.data, examples[i].plain);
    }
}

static void nul_is_shown(void **state)
{
    (void)state;
    CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
    extfn_error err = {0};
    assert_int_equal(cli_buf_append_json(&buf, "a\0b", 3, &err), EXTFN_OK);
    assert_string_equal(buf.data, "\"a\\u0000b\"");
}

static void a_size_that_overflows_is_out_of_memory(void **state)
{
    (void)state;
    CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
    extfn_error err = {0};
    assert_int_equal(cli_buf_reserve(&buf, SIZE_MAX - 1, &err), EXTFN_ENOMEM);
    assert_int_equal(buf.capacity, 0);
}

static void appending_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
        extfn_error err = {0};
        status = cli_buf_append_json(&buf, "a\nb", 3, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_become_json_text),
        cmocka_unit_test(bytes_become_one_plain_line),
        cmocka_unit_test(nul_is_shown),
        cmocka_unit_test(a_size_that_overflows_is_out_of_memory),
        cmocka_unit_test(appending_survives_oom),
    };
    return cmocka_run_group_tests_name("cli/buf", tests, NULL, NULL);
}
