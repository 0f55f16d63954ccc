#include "base/auto.h"
#include "base/buf.h"
#include "support/oom.h"
#include "support/unit.h"

#include <string.h>

static void append_grows(void **state)
{
    (void)state;
    XF_AUTO(xf_buf_clear) xf_buf buf = {0};
    extfn_error err = {0};
    for (int i = 0; i < 100; i++)
        assert_int_equal(xf_buf_append(&buf, "abc", 3, &err), EXTFN_OK);
    assert_int_equal(buf.size, 300);
}

static void append_over_limit_keeps_content(void **state)
{
    (void)state;
    XF_AUTO(xf_buf_clear) xf_buf buf = {.limit = 4};
    extfn_error err = {0};
    assert_int_equal(xf_buf_append(&buf, "abc", 3, &err), EXTFN_OK);
    assert_int_equal(xf_buf_append(&buf, "de", 2, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "buffer exceeds its limit of 4 bytes");
    assert_int_equal(buf.size, 3);
}

static void append_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_buf_clear) xf_buf buf = {0};
        status = xf_buf_append(&buf, "abc", 3, NULL);
    });
}

static void context_is_prefixed(void **state)
{
    (void)state;
    extfn_error err = {0};
    (void)xf_fail(&err, EXTFN_EINVAL, "no such file");
    (void)xf_fail_context(&err, EXTFN_EINVAL, "load manifest '%s'", "a.json");
    assert_string_equal(err.message, "load manifest 'a.json': no such file");
    XF_AUTO_FREE char *copy = xf_strdup(err.message);
    assert_non_null(copy);
}

static void context_too_long_is_cut(void **state)
{
    (void)state;
    char inner[EXTFN_MESSAGE_SIZE - 1] = {0};
    memset(inner, 'x', sizeof(inner) - 1);
    extfn_error err = {0};
    (void)xf_fail(&err, EXTFN_EINVAL, "%s", inner);
    (void)xf_fail_context(&err, EXTFN_EINVAL, "%s", inner);
    assert_string_equal(err.message + sizeof(err.message) - sizeof("..."), "...");
}

static void errors_are_optional(void **state)
{
    (void)state;
    assert_int_equal(xf_fail(NULL, EXTFN_EINVAL, "unused"), EXTFN_EINVAL);
    assert_int_equal(xf_fail_context(NULL, EXTFN_ENOMEM, "unused"), EXTFN_ENOMEM);
}

static void every_status_has_a_text(void **state)
{
    (void)state;
    assert_string_equal(extfn_status_text(EXTFN_OK), "success");
    assert_string_equal(extfn_status_text(EXTFN_EINVAL), "invalid argument");
    assert_string_equal(extfn_status_text(EXTFN_ENOMEM), "out of memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(append_grows),
        cmocka_unit_test(append_over_limit_keeps_content),
        cmocka_unit_test(append_survives_oom),
        cmocka_unit_test(context_is_prefixed),
        cmocka_unit_test(context_too_long_is_cut),
        cmocka_unit_test(errors_are_optional),
        cmocka_unit_test(every_status_has_a_text),
    };
    return cmocka_run_group_tests_name("buf", tests, NULL, NULL);
}
