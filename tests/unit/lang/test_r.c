#include "base/auto.h"
#include "support/oom.h"
#include "support/require.h"
#include "unit/lang/locate.h"
#include "value/datetime.h"

static extfn_status locate(const char *interpreter, const char *packages, xf_runtime *runtime,
                           extfn_error *err)
{
    const xf_language_options options = {.interpreter = interpreter, .packages = packages};
    return xf_language_get(EXTFN_R)->locate(&options, runtime, err);
}

static void debian_s_r_is_known_without_asking(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("r", access("/usr/lib/R/bin/exec/R", X_OK) == 0);
    xf_test_tree tree = xf_test_tree_new();
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    assert_int_equal(locate("/usr/bin/R", tree.root, &runtime, NULL), EXTFN_OK);
    assert_string_equal(runtime.argv.items[0], "/usr/lib/R/bin/exec/R");
    assert_string_equal(runtime.argv.items[4], "--file=@driver");
    assert_string_equal(runtime.argv.items[6], "@guest");
    assert_true(xf_test_has(&runtime.binds, "/usr/lib/R"));
    assert_true(xf_test_has(&runtime.binds, "/etc/R"));
    assert_true(xf_test_has(&runtime.binds, "/usr/share/R/share"));
    assert_true(xf_test_has(&runtime.binds, tree.root));
    static const char *const expected[][2] = {
        {"R_HOME", "/usr/lib/R"},
        {"R_SHARE_DIR", "/usr/share/R/share"},
        {"R_INCLUDE_DIR", "/usr/share/R/include"},
        {"R_DOC_DIR", "/usr/share/R/doc"},
        {"LD_LIBRARY_PATH", "/usr/lib/R/lib"},
        {"TMPDIR", "/tmp"},
    };
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
        assert_string_equal(xf_test_value(&runtime.environment, expected[i][0]), expected[i][1]);
    assert_string_equal(xf_test_value(&runtime.environment, "R_LIBS"), tree.root);
    assert_true(runtime.needs_stub_shell);
    xf_test_tree_free(&tree);
}

static xf_test_tree fake_r(const char *version)
{
    xf_test_tree tree = xf_test_tree_new();
    char text[256];
    (void)snprintf(text, sizeof(text), "Package: base\nVersion: %s\nTitle: x\n", version);
    xf_test_file(&tree, "/home/library/base/DESCRIPTION", 0644, text);
    xf_test_folder(&tree, "/home/share");
    xf_test_fake(&tree, "/R", xf_test_path(&tree, "/home"));
    return tree;
}

static void another_r_is_asked_for_its_home(void **state)
{
    (void)state;
    xf_test_tree tree = fake_r("4.3.1");
    const char *home = xf_test_path(&tree, "/home");
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    assert_int_equal(locate(xf_test_path(&tree, "/R"), NULL, &runtime, NULL), EXTFN_OK);
    assert_string_equal(runtime.argv.items[0], xf_test_path(&tree, "/home/bin/exec/R"));
    assert_true(xf_test_has(&runtime.binds, home));
    assert_string_equal(xf_test_value(&runtime.environment, "R_HOME"), home);
    assert_string_equal(xf_test_value(&runtime.environment, "R_SHARE_DIR"),
                        xf_test_path(&tree, "/home/share"));
    assert_false(xf_test_has(&runtime.binds, "/etc/R"));
    xf_test_tree_free(&tree);
}

static void assert_refused(const xf_test_tree *tree, const char *reason)
{
    xf_runtime runtime = {0};
    extfn_error err = {0};
    assert_int_equal(locate(xf_test_path(tree, "/R"), NULL, &runtime, &err), EXTFN_EUNAVAILABLE);
    assert_non_null(strstr(err.message, "language runtime unavailable: R (R): "));
    assert_non_null(strstr(err.message, reason));
    xf_test_tree_free(tree);
}

static void an_old_r_or_a_program_that_is_none_is_refused(void **state)
{
    (void)state;
    xf_test_tree old = fake_r("3.6.3");
    assert_refused(&old, "/R' is R 3, too old; install R 4.0 or newer");
    xf_test_tree other = xf_test_tree_new();
    xf_test_fake(&other, "/R", "/usr");
    assert_refused(&other, "'/usr' is not the home of R; name another interpreter");
    xf_test_tree silent = xf_test_tree_new();
    xf_test_file(&silent, "/R", 0755, "#!/bin/sh\nexit 1\n");
    assert_refused(&silent, "exit status 1: nothing on stderr");
}

static void locate_survives_oom(void **state)
{
    (void)state;
    xf_test_tree tree = fake_r("4.3.1");
    XF_AUTO_FREE char *interpreter = xf_strdup(xf_test_path(&tree, "/R"));
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
        status = locate(interpreter, tree.root, &runtime, NULL);
    });
    xf_test_tree_free(&tree);
}

static const char *refusal(extfn_value value)
{
    return xf_language_get(EXTFN_R)->refusal(&value);
}

static void text_with_a_nul_is_refused(void **state)
{
    (void)state;
    char text[] = "a\0b";
    extfn_value value = {.type = EXTFN_TEXT, .as.text = {.data = text, .size = 3}};
    assert_string_equal(refusal(value), "R text cannot hold U+0000");
    value.as.text.size = 1;
    assert_null(refusal(value));
    value.as.text.data = NULL;
    value.as.text.size = 0;
    assert_null(refusal(value));
    assert_null(refusal(extfn_value_number(1)));
}

static void datetimes_that_change_are_refused(void **state)
{
    (void)state;
    static const int64_t held[] = {
        0,
        -1,
        1735787045123456,   /* 2025 */
        -86400000001,       /* 1969 */
        8589934591999999,   /* 2242-03-16, just below 2^33 s */
        -8589934591999999,  /* 1697 */
        XF_DATETIME_LOWEST, /* a whole second */
        253402300799000000, /* the last whole second */
        253402300799500000, /* a half is exact */
    };
    static const int64_t changed[] = {
        XF_DATETIME_HIGHEST,
        XF_DATETIME_LOWEST + 1,
        17179869184000001,
        -17179869184000001,
    };
    for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++)
        assert_null(refusal(extfn_value_datetime(held[i])));
    for (size_t i = 0; i < sizeof(changed) / sizeof(changed[0]); i++) {
        assert_string_equal(refusal(extfn_value_datetime(changed[i])),
                            "R cannot hold this DateTime to the microsecond");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(debian_s_r_is_known_without_asking),
        cmocka_unit_test(another_r_is_asked_for_its_home),
        cmocka_unit_test(an_old_r_or_a_program_that_is_none_is_refused),
        cmocka_unit_test(locate_survives_oom),
        cmocka_unit_test(text_with_a_nul_is_refused),
        cmocka_unit_test(datetimes_that_change_are_refused),
    };
    return cmocka_run_group_tests_name("r", tests, NULL, NULL);
}
