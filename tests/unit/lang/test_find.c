#include "base/auto.h"
#include "lang/find.h"
#include "support/oom.h"
#include "support/tree.h"

static const char *const nowhere[] = {"/nonexistent/a", "/nonexistent/b", NULL};

static void a_missing_interpreter_says_what_to_install(void **state)
{
    (void)state;
    const xf_language_options options = {0};
    char *path = NULL;
    extfn_error err = {0};
    assert_int_equal(xf_interpreter_find(xf_language_get(EXTFN_R), &options, nowhere, &path, &err),
                     EXTFN_EUNAVAILABLE);
    assert_string_equal(err.message,
                        "language runtime unavailable: R (R): not found; install r-base-core");
    assert_int_equal(xf_interpreter_find(xf_language_get(EXTFN_PYTHON), &options, nowhere, &path,
                                         &err),
                     EXTFN_EUNAVAILABLE);
    assert_string_equal(
        err.message, "language runtime unavailable: Python (python3): not found; install python3");
    assert_null(path);
}

static void the_first_executable_file_is_taken(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    xf_test_file(&tree, "/plain", 0644, "");
    xf_test_file(&tree, "/good", 0755, "");
    const char *const places[] = {tree.root, xf_test_path(&tree, "/plain"),
                                  xf_test_path(&tree, "/good"), "/bin/sh", NULL};
    const xf_language_options options = {0};
    XF_AUTO_FREE char *path = NULL;
    assert_int_equal(xf_interpreter_find(xf_language_get(EXTFN_R), &options, places, &path, NULL),
                     EXTFN_OK);
    assert_string_equal(path, places[2]);
    xf_test_tree_free(&tree);
}

static void the_operator_s_interpreter_wins(void **state)
{
    (void)state;
    const xf_language *r = xf_language_get(EXTFN_R);
    const char *const places[] = {"/bin/cat", NULL};
    xf_language_options options = {.interpreter = "/bin/sh"};
    XF_AUTO_FREE char *path = NULL;
    assert_int_equal(xf_interpreter_find(r, &options, places, &path, NULL), EXTFN_OK);
    assert_string_equal(path, "/bin/sh");
    char *none = NULL;
    extfn_error err = {0};
    options.interpreter = "bin/sh";
    assert_int_equal(xf_interpreter_find(r, &options, places, &none, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "interpreter 'bin/sh' is not an absolute path");
    options.interpreter = "/etc/passwd";
    assert_int_equal(xf_interpreter_find(r, &options, places, &none, &err), EXTFN_EUNAVAILABLE);
    assert_string_equal(err.message,
                        "language runtime unavailable: R (R): '/etc/passwd' is not an executable "
                        "file; name another interpreter");
}

static extfn_status find_packages(const char *packages, xf_strings *folders, extfn_error *err)
{
    const xf_language_options options = {.packages = packages};
    return xf_packages_find(&options, folders, err);
}

static void package_folders_are_resolved(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    xf_test_folder(&tree, "/one");
    xf_test_symlink(&tree, "one", "/two");
    char list[128];
    (void)snprintf(list, sizeof(list), "%s/one:%s/two", tree.root, tree.root);
    XF_AUTO(xf_strings_clear) xf_strings folders = {0};
    assert_int_equal(find_packages(list, &folders, NULL), EXTFN_OK);
    assert_int_equal(folders.count, 2);
    assert_string_equal(folders.items[0], xf_test_path(&tree, "/one"));
    assert_string_equal(folders.items[1], xf_test_path(&tree, "/one"));
    xf_test_tree_free(&tree);
}

static void no_packages_are_none(void **state)
{
    (void)state;
    xf_strings folders = {0};
    assert_int_equal(find_packages(NULL, &folders, NULL), EXTFN_OK);
    assert_int_equal(find_packages("", &folders, NULL), EXTFN_OK);
    assert_int_equal(folders.count, 0);
}

static void bad_packages_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {":", "relative", "/etc/passwd", "/nonexistent", "/etc/ssl:"};
    static const char *const wide[] = {"/", "/usr", "/usr/share/..", "/home", "/tmp", "//"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        XF_AUTO(xf_strings_clear) xf_strings folders = {0};
        extfn_error err = {0};
        assert_int_equal(find_packages(bad[i], &folders, &err), EXTFN_EINVAL);
        assert_non_null(strstr(err.message, "': not a folder; write its absolute path"));
    }
    for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
        XF_AUTO(xf_strings_clear) xf_strings folders = {0};
        extfn_error err = {0};
        assert_int_equal(find_packages(wide[i], &folders, &err), EXTFN_EINVAL);
        assert_non_null(strstr(err.message, "' would show too much of this machine"));
    }
}

static void homes_are_too_wide_and_folders_in_them_are_not(void **state)
{
    (void)state;
    assert_true(xf_path_is_too_wide("/home/ann"));
    assert_true(xf_path_is_too_wide("/root"));
    assert_true(xf_path_is_too_wide("/usr/local"));
    assert_false(xf_path_is_too_wide("/home/ann/venv"));
    assert_false(xf_path_is_too_wide("/opt/python"));
    assert_false(xf_path_is_too_wide("/usr/lib/python3"));
}

static void lists_are_joined_by_colons(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_strings_clear) xf_strings pairs = {0};
        XF_AUTO(xf_strings_clear) xf_strings folders = {0};
        status = xf_path_list_add(&pairs, "NONE", &folders, NULL);
        assert_int_equal(pairs.count, 0);
        if (status == EXTFN_OK)
            status = find_packages("/etc/ssl:/usr/bin/..//lib/locale:/etc/ssl", &folders, NULL);
        if (status == EXTFN_OK)
            status = xf_path_list_add(&pairs, "LIST", &folders, NULL);
        if (status == EXTFN_OK)
            assert_string_equal(pairs.items[1], "/etc/ssl:/usr/lib/locale:/etc/ssl");
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_interpreter_says_what_to_install),
        cmocka_unit_test(the_first_executable_file_is_taken),
        cmocka_unit_test(the_operator_s_interpreter_wins),
        cmocka_unit_test(package_folders_are_resolved),
        cmocka_unit_test(no_packages_are_none),
        cmocka_unit_test(bad_packages_are_refused),
        cmocka_unit_test(homes_are_too_wide_and_folders_in_them_are_not),
        cmocka_unit_test(lists_are_joined_by_colons),
    };
    return cmocka_run_group_tests_name("find", tests, NULL, NULL);
}
