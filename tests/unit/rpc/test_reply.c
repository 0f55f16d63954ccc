#include "base/auto.h"
#include "rpc/reply.h"
#include "support/oom.h"
#include "support/unit.h"

#include <extfn/value.h>

#include <stdio.h>
#include <string.h>

static void assert_written(const extfn_output *output, const char *reply)
{
    XF_AUTO(xf_buf_clear) xf_buf out = {0};
    extfn_value value = extfn_value_number(1);
    xf_outcome outcome = {.value = &value, .output = output};
    xf_slice id = {.data = "7", .size = 1};
    assert_int_equal(xf_reply_write(&out, &id, &outcome, NULL), EXTFN_OK);
    assert_int_equal(out.size, strlen(reply));
    assert_memory_equal(out.data, reply, out.size);
}

static void output_of_any_bytes_becomes_text(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *text;
    } cases[] = {
        {"plain \"quoted\"\n", "plain \\\"quoted\\\"\\n"},
        {"\xc3\xa4", "\xc3\xa4"},
        {"a\xff"
         "b",
         "a\xef\xbf\xbd"
         "b"},
        {"\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xc3", "\xef\xbf\xbd"},                                 /* cut off */
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* a surrogate */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char bytes[32];
        char reply[100];
        (void)snprintf(bytes, sizeof(bytes), "%s", cases[i].bytes);
        (void)snprintf(reply, sizeof(reply), "{\"id\":7,\"ok\":1.0,\"stderr\":\"%s\"}",
                       cases[i].text);
        extfn_output output = {.stderr_data = bytes, .stderr_size = strlen(bytes)};
        assert_written(&output, reply);
    }
}

static void nul_bytes_of_the_output_are_kept(void **state)
{
    (void)state;
    char bytes[] = "a\0b";
    extfn_output output = {.stdout_data = bytes, .stdout_size = 3};
    assert_written(&output, "{\"id\":7,\"ok\":1.0,\"stdout\":\"a\\u0000b\"}");
}

static void empty_streams_are_left_out(void **state)
{
    (void)state;
    extfn_output output = {0};
    assert_written(&output, "{\"id\":7,\"ok\":1.0}");
}

static void writing_survives_oom(void **state)
{
    (void)state;
    char bytes[] = "\xff";
    extfn_output output = {.stdout_data = bytes, .stdout_size = 1, .is_unsandboxed = true};
    extfn_error failure = {.status = EXTFN_ERUNTIME, .message = "ValueError: nope (line 3)"};
    xf_outcome outcome = {.failure = &failure, .output = &output};
    xf_slice id = {0};
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_buf_clear) xf_buf out = {0};
        status = xf_reply_write(&out, &id, &outcome, NULL);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_of_any_bytes_becomes_text),
        cmocka_unit_test(nul_bytes_of_the_output_are_kept),
        cmocka_unit_test(empty_streams_are_left_out),
        cmocka_unit_test(writing_survives_oom),
    };
    return cmocka_run_group_tests_name("reply", tests, NULL, NULL);
}
