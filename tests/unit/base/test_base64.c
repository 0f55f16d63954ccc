#include "base/base64.h"

#include "base/auto.h"
#include "support/oom.h"
#include "support/unit.h"

#include <string.h>

static void bytes_of_every_length_are_padded(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *text;
    } rows[] = {{"", ""}, /* the examples of RFC 4648 */
                {"f", "Zg=="},
                {"fo", "Zm8="},
                {"foo", "Zm9v"},
                {"foob", "Zm9vYg=="},
                {"fooba", "Zm9vYmE="},
                {"foobar", "Zm9vYmFy"},
                {"\xff\xfe\xfb", "//77"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        XF_AUTO(xf_buf_clear) xf_buf text = {0};
        assert_int_equal(xf_buf_append(&text, "x:", 2, NULL), EXTFN_OK);
        assert_int_equal(xf_base64_write(rows[i].bytes, strlen(rows[i].bytes), &text, NULL),
                         EXTFN_OK);
        assert_int_equal(text.size, 2 + strlen(rows[i].text));
        assert_memory_equal(text.data + 2, rows[i].text, strlen(rows[i].text));
    }
}

static void writing_survives_oom_and_limits(void **state)
{
    (void)state;
    static const char bytes[1000];
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_buf_clear) xf_buf text = {0};
        status = xf_base64_write(bytes, sizeof(bytes), &text, NULL);
    });
    XF_AUTO(xf_buf_clear) xf_buf small = {.limit = 100};
    assert_int_equal(xf_base64_write(bytes, sizeof(bytes), &small, NULL), EXTFN_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_of_every_length_are_padded),
        cmocka_unit_test(writing_survives_oom_and_limits),
    };
    return cmocka_run_group_tests_name("base64", tests, NULL, NULL);
}
