#include "base/auto.h"
#include "support/oom.h"
#include "support/unit.h"
#include "value/value.h"

#include <math.h>
#include <string.h>

static void types_have_names(void **state)
{
    (void)state;
    assert_string_equal(extfn_type_text(EXTFN_NUMBER), "Number");
    assert_string_equal(extfn_type_text(EXTFN_BOOLEAN), "Boolean");
    assert_string_equal(extfn_type_text(EXTFN_TEXT), "Text");
    assert_string_equal(extfn_type_text(EXTFN_DATETIME), "DateTime");
    assert_string_equal(extfn_type_text(EXTFN_ENUM), "Enum");
    assert_string_equal(extfn_type_text(EXTFN_ERROR), "Error");
    assert_string_equal(extfn_type_text(EXTFN_NONE), "no value");
    assert_string_equal(extfn_type_text((extfn_type)77), "unknown type");
}

static void text_is_copied_with_its_nuls(void **state)
{
    (void)state;
    char data[] = "a\0b";
    XF_AUTO(extfn_value_clear) extfn_value value = {0};
    assert_int_equal(extfn_value_text(data, 3, &value, NULL), EXTFN_OK);
    data[0] = 'x';
    assert_int_equal(value.type, EXTFN_TEXT);
    assert_int_equal(value.as.text.size, 3);
    assert_memory_equal(value.as.text.data, "a\0b", 4);
}

static void empty_text_needs_no_data(void **state)
{
    (void)state;
    XF_AUTO(extfn_value_clear) extfn_value value = {0};
    assert_int_equal(extfn_value_text(NULL, 0, &value, NULL), EXTFN_OK);
    assert_string_equal(value.as.text.data, "");
}

static void text_that_is_not_utf8_is_refused(void **state)
{
    (void)state;
    extfn_error err = {0};
    extfn_value value = {0};
    assert_int_equal(extfn_value_text("a\xff", 2, &value, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "text is not UTF-8 at byte 1");
    assert_int_equal(extfn_value_error(EXTFN_KIND_CUSTOM, "\xff", &value, &err), EXTFN_EINVAL);
    assert_int_equal(value.type, EXTFN_NONE);
}

static void an_unknown_error_kind_is_refused(void **state)
{
    (void)state;
    extfn_value value = {0};
    assert_int_equal(extfn_value_error((extfn_error_kind)9, "x", &value, NULL), EXTFN_EINVAL);
    assert_int_equal(value.type, EXTFN_NONE);
}

static void clear_leaves_an_empty_value(void **state)
{
    (void)state;
    extfn_value value = {0};
    assert_int_equal(extfn_value_text("abc", 3, &value, NULL), EXTFN_OK);
    extfn_value_clear(&value);
    assert_int_equal(value.type, EXTFN_NONE);
    extfn_value_clear(&value);
    extfn_value_clear(NULL);
}

static void a_failure_becomes_an_error_value(void **state)
{
    (void)state;
    XF_AUTO(extfn_value_clear) extfn_value value = {0};
    extfn_error failure = {.status = EXTFN_ETYPE, .message = "function f: argument 0"};
    assert_int_equal(extfn_error_value(&failure, &value, NULL), EXTFN_OK);
    assert_int_equal(value.type, EXTFN_ERROR);
    assert_int_equal(value.as.error.kind, EXTFN_KIND_TYPE_MISMATCH);
    assert_string_equal(value.as.error.message, "function f: argument 0");
    assert_int_equal(value.as.error.size, strlen(value.as.error.message));
}

static void every_other_failure_is_custom(void **state)
{
    (void)state;
    static const extfn_status statuses[] = {EXTFN_EINVAL,   EXTFN_EARITY,   EXTFN_ENOTFOUND,
                                            EXTFN_ERUNTIME, EXTFN_ETIMEOUT, EXTFN_ESANDBOX};
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        XF_AUTO(extfn_value_clear) extfn_value value = {0};
        extfn_error failure = {.status = statuses[i],
                               .message = "file a\xff"
                                          "b"};
        assert_int_equal(extfn_error_value(&failure, &value, NULL), EXTFN_OK);
        assert_int_equal(value.as.error.kind, EXTFN_KIND_CUSTOM);
        assert_string_equal(value.as.error.message, "file a?b");
    }
}

static extfn_value make_text(const char *data, size_t size)
{
    extfn_value value = {0};
    assert_int_equal(extfn_value_text(data, size, &value, NULL), EXTFN_OK);
    return value;
}

static extfn_value make_error(extfn_error_kind kind, const char *message)
{
    extfn_value value = {0};
    assert_int_equal(extfn_value_error(kind, message, &value, NULL), EXTFN_OK);
    return value;
}

static void only_the_same_is_equal(void **state)
{
    (void)state;
    /* Each value once: no two of them are equal. */
    extfn_value values[] = {
        {0},
        extfn_value_number(0.0),
        extfn_value_number(-0.0),
        extfn_value_number(1.0),
        extfn_value_number((double)NAN),
        extfn_value_number((double)INFINITY),
        extfn_value_boolean(false),
        extfn_value_boolean(true),
        extfn_value_datetime(0),
        extfn_value_datetime(1),
        extfn_value_enum(0),
        extfn_value_enum(UINT32_MAX),
        make_text("", 0),
        make_text("a", 1),
        make_text("a\0b", 3),
        make_text("a\0c", 3),
        make_error(EXTFN_KIND_CUSTOM, "a"),
        make_error(EXTFN_KIND_CUSTOM, "b"),
        make_error(EXTFN_KIND_MISSING_INPUT, "a"),
    };
    size_t count = sizeof(values) / sizeof(values[0]);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++)
            assert_int_equal(extfn_value_is_equal(&values[i], &values[k]), i == k);
        XF_AUTO(extfn_value_clear) extfn_value copy = {0};
        assert_int_equal(extfn_value_copy(&values[i], &copy, NULL), EXTFN_OK);
        assert_true(extfn_value_is_equal(&values[i], &copy));
    }
    for (size_t i = 0; i < count; i++)
        extfn_value_clear(&values[i]);
}

static void all_nans_are_equal(void **state)
{
    (void)state;
    extfn_value a = extfn_value_number((double)NAN);
    extfn_value b = extfn_value_number(-(double)NAN);
    assert_true(extfn_value_is_equal(&a, &b));
}

static void making_and_copying_survive_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    extfn_value value = {0};
    extfn_value copy = {0};
    extfn_error failure = {.status = EXTFN_ERUNTIME, .message = "failed"};
    XF_OOM_SWEEP(status, { status = extfn_value_text("abc", 3, &value, NULL); });
    XF_OOM_SWEEP(status, { status = extfn_value_copy(&value, &copy, NULL); });
    extfn_value_clear(&value);
    extfn_value_clear(&copy);
    XF_OOM_SWEEP(status, { status = extfn_error_value(&failure, &value, NULL); });
    XF_OOM_SWEEP(status, { status = extfn_value_copy(&value, &copy, NULL); });
    extfn_value_clear(&value);
    extfn_value_clear(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_have_names),
        cmocka_unit_test(text_is_copied_with_its_nuls),
        cmocka_unit_test(empty_text_needs_no_data),
        cmocka_unit_test(text_that_is_not_utf8_is_refused),
        cmocka_unit_test(an_unknown_error_kind_is_refused),
        cmocka_unit_test(clear_leaves_an_empty_value),
        cmocka_unit_test(a_failure_becomes_an_error_value),
        cmocka_unit_test(every_other_failure_is_custom),
        cmocka_unit_test(only_the_same_is_equal),
        cmocka_unit_test(all_nans_are_equal),
        cmocka_unit_test(making_and_copying_survive_oom),
    };
    return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
