#include "base/auto.h"
#include "support/oom.h"
#include "unit/lang/locate.h"

static extfn_status locate(const char *interpreter, const char *packages, xf_runtime *runtime,
                           extfn_error *err)
{
    const xf_language_options options = {.interpreter = interpreter, .packages = packages};
    return xf_language_get(EXTFN_PURE)->locate(&options, runtime, err);
}

/* A prefix with a program that tells the version and nothing else. */
static xf_test_tree fake_pure(const char *version)
{
    xf_test_tree tree = xf_test_tree_new();
    xf_test_file(&tree, "/home/lib/pure/prelude.pure", 0644, "");
    xf_test_file(&tree, "/home/lib/libpure.so.8", 0644, "");
    xf_test_fake(&tree, "/home/bin/pure", version);
    return tree;
}

static void a_named_interpreter_is_seen_with_its_library(void **state)
{
    (void)state;
    xf_test_tree tree = fake_pure("Pure 0.68 (x86_64-linux-gnu) ...");
    const char *library = xf_test_path(&tree, "/home/lib");
    XF_AUTO_FREE char *packages = xf_strdup(xf_test_path(&tree, "/home/lib/pure"));
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    assert_int_equal(locate(xf_test_path(&tree, "/home/bin/pure"), packages, &runtime, NULL),
                     EXTFN_OK);
    assert_string_equal(runtime.argv.items[0], xf_test_path(&tree, "/home/bin/pure"));
    static const char *const words[] = {"--norc", "-x", "@driver", "@guest"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        assert_string_equal(runtime.argv.items[i + 1], words[i]);
    assert_int_equal(runtime.argv.count, 5);
    library = xf_test_path(&tree, "/home/lib");
    assert_true(xf_test_has(&runtime.binds, library));
    assert_string_equal(xf_test_value(&runtime.environment, "LD_LIBRARY_PATH"), library);
    assert_true(xf_test_has(&runtime.binds, packages));
    assert_string_equal(xf_test_value(&runtime.environment, "PURELIB"), packages);
    assert_string_equal(xf_test_value(&runtime.environment, "PURE_INCLUDE"), packages);
    assert_string_equal(xf_test_value(&runtime.environment, "PURE_LIBRARY"), packages);
    assert_string_equal(xf_test_value(&runtime.environment, "PURE_STACK"), "7168");
    assert_true(xf_test_has(&runtime.binds, xf_test_path(&tree, "/home/bin/pure")));
    assert_string_equal(runtime.driver.place, "/b/driver.pure");
    assert_false(runtime.needs_stub_shell);
    xf_test_tree_free(&tree);
}

static void assert_refused(const xf_test_tree *tree, const char *reason)
{
    xf_runtime runtime = {0};
    extfn_error err = {0};
    assert_int_equal(locate(xf_test_path(tree, "/home/bin/pure"), NULL, &runtime, &err),
                     EXTFN_EUNAVAILABLE);
    assert_non_null(strstr(err.message, "language runtime unavailable: Pure (pure): "));
    if (!strstr(err.message, reason))
        fail_msg("%s", err.message);
    xf_test_tree_free(tree);
}

static void what_is_no_pure_or_too_old_is_refused(void **state)
{
    (void)state;
    xf_test_tree old = fake_pure("Pure 0.63 (x86_64-linux-gnu) ...");
    assert_refused(&old, "/home/bin/pure' is not Pure 0.64 or newer; name another interpreter");
    xf_test_tree other = fake_pure("Python 3.11.2");
    assert_refused(&other, "is not Pure 0.64 or newer");
    xf_test_tree bare = xf_test_tree_new();
    xf_test_fake(&bare, "/home/bin/pure", "Pure 0.68");
    assert_refused(&bare, "/home/bin/pure' has no ../lib/pure/prelude.pure");
    xf_test_tree silent = xf_test_tree_new();
    xf_test_file(&silent, "/home/lib/pure/prelude.pure", 0644, "");
    xf_test_file(&silent, "/home/bin/pure", 0755, "#!/bin/sh\nexit 1\n");
    assert_refused(&silent, "exit status 1: nothing on stderr");
}

static void newer_versions_are_fine(void **state)
{
    (void)state;
    static const char *const versions[] = {"Pure 0.64 (x)", "Pure 0.70", "Pure 1.0 (x)"};
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        xf_test_tree tree = fake_pure(versions[i]);
        XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
        assert_int_equal(locate(xf_test_path(&tree, "/home/bin/pure"), NULL, &runtime, NULL),
                         EXTFN_OK);
        xf_test_tree_free(&tree);
    }
}

static void where_none_is_the_advice_is_to_name_one(void **state)
{
    (void)state;
    if (access("/usr/bin/pure", F_OK) == 0 || access("/usr/local/bin/pure", F_OK) == 0)
        skip();
    xf_runtime runtime = {0};
    extfn_error err = {0};
    assert_int_equal(locate(NULL, NULL, &runtime, &err), EXTFN_EUNAVAILABLE);
    assert_string_equal(err.message, "language runtime unavailable: Pure (pure): not found; "
                                     "name one with --interpreter pure=PATH");
}

static void locate_survives_oom(void **state)
{
    (void)state;
    xf_test_tree tree = fake_pure("Pure 0.68 (x)");
    XF_AUTO_FREE char *interpreter = xf_strdup(xf_test_path(&tree, "/home/bin/pure"));
    XF_AUTO_FREE char *packages = xf_strdup(xf_test_path(&tree, "/home/lib/pure"));
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
        status = locate(interpreter, packages, &runtime, NULL);
    });
    xf_test_tree_free(&tree);
}

static void text_with_a_nul_is_refused(void **state)
{
    (void)state;
    const xf_language *pure = xf_language_get(EXTFN_PURE);
    char text[] = "a\0b";
    extfn_value value = {.type = EXTFN_TEXT, .as.text = {.data = text, .size = 3}};
    assert_string_equal(pure->refusal(&value), "Pure text cannot hold U+0000");
    value.as.text.size = 1;
    assert_null(pure->refusal(&value));
    value.as.text.data = NULL;
    value.as.text.size = 0;
    assert_null(pure->refusal(&value));
    value = extfn_value_datetime(1);
    assert_null(pure->refusal(&value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_named_interpreter_is_seen_with_its_library),
        cmocka_unit_test(what_is_no_pure_or_too_old_is_refused),
        cmocka_unit_test(newer_versions_are_fine),
        cmocka_unit_test(where_none_is_the_advice_is_to_name_one),
        cmocka_unit_test(locate_survives_oom),
        cmocka_unit_test(text_with_a_nul_is_refused),
    };
    return cmocka_run_group_tests_name("pure", tests, NULL, NULL);
}
