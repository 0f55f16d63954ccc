#include "base/auto.h"
#include "os/spawn.h"
#include "support/oom.h"
#include "support/require.h"
#include "unit/lang/locate.h"

static extfn_status locate(const char *interpreter, const char *packages, xf_runtime *runtime,
                           extfn_error *err)
{
    const xf_language_options options = {.interpreter = interpreter, .packages = packages};
    return xf_language_get(EXTFN_PYTHON)->locate(&options, runtime, err);
}

static bool has_python(void)
{
    return access("/usr/bin/python3", X_OK) == 0;
}

static void the_system_s_python_is_known_without_asking(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", has_python());
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    assert_int_equal(locate("/usr/bin/python3", NULL, &runtime, NULL), EXTFN_OK);
    XF_AUTO_FREE char *real = realpath("/usr/bin/python3", NULL);
    assert_string_equal(runtime.argv.items[0], real);
    assert_true(xf_test_has(&runtime.argv, "-s"));
    assert_true(xf_test_has(&runtime.argv, "-S"));
    assert_true(xf_test_has(&runtime.argv, "-B"));
    assert_string_equal(runtime.argv.items[runtime.argv.count - 2], XF_DRIVER_MARK);
    assert_string_equal(runtime.argv.items[runtime.argv.count - 1], XF_GUEST_MARK);
    assert_int_equal(runtime.binds.count, 2);
    assert_string_equal(runtime.binds.items[0], real);
    assert_string_equal(xf_test_value(&runtime.environment, "PYTHONHASHSEED"), "0");
    assert_string_equal(xf_test_value(&runtime.environment, "PYTHONPATH"), "");
    assert_true(runtime.base_memory > 0);
    assert_int_equal(strncmp(runtime.driver.place, "/b/driver.py", 12), 0);
    assert_false(runtime.needs_stub_shell);
}

static void packages_are_bound_and_on_the_path(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", has_python());
    xf_test_tree tree = xf_test_tree_new();
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    assert_int_equal(locate(NULL, tree.root, &runtime, NULL), EXTFN_OK);
    assert_true(xf_test_has(&runtime.binds, tree.root));
    assert_string_equal(xf_test_value(&runtime.environment, "PYTHONPATH"), tree.root);
    xf_test_tree_free(&tree);
}

static void what_another_python_answers_is_bound(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    xf_test_fake(&tree, "/python",
                 "hello from a site\nversion 3 10\nexecutable /opt/py/bin/python3.10\n"
                 "prefix /opt/py\nprefix /usr\npiece /opt/std\nlibrary /opt/lib/libpython.so\n"
                 "site /opt/site\nsite relative\nexecutables none");
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    assert_int_equal(locate(xf_test_path(&tree, "/python"), tree.root, &runtime, NULL), EXTFN_OK);
    assert_string_equal(runtime.argv.items[0], "/opt/py/bin/python3.10");
    assert_false(xf_test_has(&runtime.argv, "-P"));
    static const char *const bound[] = {"/opt/py/bin/python3.10", "/opt/py", "/opt/std",
                                        "/opt/lib/libpython.so", "/opt/site"};
    for (size_t i = 0; i < 5; i++)
        assert_true(xf_test_has(&runtime.binds, bound[i]));
    assert_int_equal(runtime.binds.count, 6);
    assert_string_equal(xf_test_value(&runtime.environment, "LD_LIBRARY_PATH"), "/opt/lib");
    assert_string_equal(runtime.driver.place, "/b/driver.py");
    assert_non_null(memmem(runtime.driver.data, runtime.driver.size, "def main():", 11));
    char expected[128];
    (void)snprintf(expected, sizeof(expected), "%s:/opt/site", tree.root);
    assert_string_equal(xf_test_value(&runtime.environment, "PYTHONPATH"), expected);
    xf_test_tree_free(&tree);
}

static const struct {
    const char *answer;
    const char *reason;
} refusals[] = {
    {"version 3 8\nexecutable /opt/python3.8", "is Python 3.8, too old; install Python 3.9"},
    {"version 2 7\nexecutable /opt/python2.7", "is Python 2.7, too old; install Python 3.9"},
    {"executable /opt/python", "is Python 0.0, too old"},
    {"version 3 12", "it did not say where it lies; name another interpreter"},
    {"version 3 12\nexecutable /opt/python\nsite /home/ann", "its module path names '/home/ann'"},
};

static void answers_that_do_not_do_are_refused_with_advice(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        xf_test_tree tree = xf_test_tree_new();
        xf_test_fake(&tree, "/python", refusals[i].answer);
        xf_runtime runtime = {0};
        extfn_error err = {0};
        assert_int_equal(locate(xf_test_path(&tree, "/python"), NULL, &runtime, &err),
                         EXTFN_EUNAVAILABLE);
        assert_non_null(strstr(err.message, "language runtime unavailable: Python (python3): "));
        assert_non_null(strstr(err.message, refusals[i].reason));
        xf_test_tree_free(&tree);
    }
}

static void a_python_that_fails_is_quoted(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    xf_test_file(&tree, "/python", 0755, "#!/bin/sh\necho no license >&2; exit 3\n");
    xf_runtime runtime = {0};
    extfn_error err = {0};
    assert_int_equal(locate(xf_test_path(&tree, "/python"), NULL, &runtime, &err),
                     EXTFN_EUNAVAILABLE);
    assert_non_null(strstr(err.message, "exit status 3: no license; name another interpreter"));
    xf_test_tree_free(&tree);
}

static void make_venv(const xf_test_tree *tree)
{
    const char *const argv[] = {"/usr/bin/python3",          "-m", "venv", "--without-pip",
                                xf_test_path(tree, "/venv"), NULL};
    const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
    XF_AUTO_FREE char *said = NULL;
    assert_int_equal(xf_ask(argv, env, INT64_C(60000000), 65536, &said, NULL), EXTFN_OK);
}

static void a_virtual_environment_brings_its_packages(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", has_python());
    xf_test_tree tree = xf_test_tree_new();
    make_venv(&tree);
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    /* Its own python is the system's by a symlink, so it is asked by way of a script. */
    char script[256];
    (void)snprintf(script, sizeof(script), "#!/bin/sh\nexec %s/venv/bin/python \"$@\"\n",
                   tree.root);
    xf_test_file(&tree, "/python", 0755, script);
    static const char *const names[] = {"/venv/bin/python", "/python"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(locate(xf_test_path(&tree, names[i]), NULL, &runtime, NULL), EXTFN_OK);
        XF_AUTO_FREE char *real = realpath("/usr/bin/python3", NULL);
        assert_string_equal(runtime.argv.items[0], real);
        const char *path = xf_test_value(&runtime.environment, "PYTHONPATH");
        assert_int_equal(strncmp(path, tree.root, strlen(tree.root)), 0);
        assert_non_null(strstr(path, "/venv/lib/python3."));
        assert_non_null(strstr(path, "/site-packages"));
        assert_null(strchr(path, ':'));
        assert_true(xf_test_has(&runtime.binds, path));
        assert_false(xf_test_has(&runtime.binds, "/usr"));
        xf_runtime_clear(&runtime);
    }
    xf_test_tree_free(&tree);
}

static void locate_survives_oom(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    xf_test_fake(&tree, "/python",
                 "version 3 12\nexecutable /opt/py/python\nprefix /opt/py\nsite /opt/site\n"
                 "library /opt/lib/libpython.so");
    XF_AUTO_FREE char *interpreter = xf_strdup(xf_test_path(&tree, "/python"));
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
        status = locate(interpreter, tree.root, &runtime, NULL);
    });
    xf_test_tree_free(&tree);
}

static void locating_the_system_s_survives_oom(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", has_python());
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
        status = locate("/usr/bin/python3", NULL, &runtime, NULL);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_system_s_python_is_known_without_asking),
        cmocka_unit_test(packages_are_bound_and_on_the_path),
        cmocka_unit_test(what_another_python_answers_is_bound),
        cmocka_unit_test(answers_that_do_not_do_are_refused_with_advice),
        cmocka_unit_test(a_python_that_fails_is_quoted),
        cmocka_unit_test(a_virtual_environment_brings_its_packages),
        cmocka_unit_test(locate_survives_oom),
        cmocka_unit_test(locating_the_system_s_survives_oom),
    };
    return cmocka_run_group_tests_name("python", tests, NULL, NULL);
}
