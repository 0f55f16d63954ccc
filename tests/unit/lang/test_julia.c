#include "base/auto.h"
#include "support/oom.h"
#include "support/require.h"
#include "unit/lang/locate.h"
#include "value/datetime.h"

static extfn_status locate(const char *interpreter, const char *packages, xf_runtime *runtime,
                           extfn_error *err)
{
    const xf_language_options options = {.interpreter = interpreter, .packages = packages};
    return xf_language_get(EXTFN_JULIA)->locate(&options, runtime, err);
}

/* An installation as an official archive has it, of one version. */
static xf_test_tree fake_julia(const char *version)
{
    xf_test_tree tree = xf_test_tree_new();
    char path[64];
    (void)snprintf(path, sizeof(path), "/julia/share/julia/stdlib/%s", version);
    xf_test_folder(&tree, path);
    xf_test_fake(&tree, "/julia/bin/julia", "");
    return tree;
}

static bool has_argument(const xf_runtime *runtime, const char *word)
{
    return xf_test_has(&runtime->argv, word);
}

static void debian_s_julia_is_known_without_asking(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("julia", access("/usr/share/julia/stdlib/v1.5", F_OK) == 0);
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    assert_int_equal(locate("/usr/bin/julia", NULL, &runtime, NULL), EXTFN_OK);
    assert_string_equal(runtime.argv.items[0], "/usr/bin/julia");
    assert_string_equal(runtime.argv.items[runtime.argv.count - 2], "@driver");
    assert_string_equal(runtime.argv.items[runtime.argv.count - 1], "@guest");
    assert_true(has_argument(&runtime, "--compile=min"));
    assert_true(has_argument(&runtime, "--compiled-modules=no"));
    assert_true(xf_test_has(&runtime.binds, "/usr/bin/julia"));
    assert_true(xf_test_has(&runtime.binds, "/usr/share/julia"));
    assert_true(xf_test_has(&runtime.binds, "/etc/julia"));
    assert_false(xf_test_has(&runtime.binds, "/usr"));
    assert_string_equal(xf_test_value(&runtime.environment, "JULIA_DEPOT_PATH"),
                        "/tmp/depot:/usr/share/julia");
    assert_string_equal(xf_test_value(&runtime.environment, "JULIA_LOAD_PATH"), "@stdlib");
}

static void the_sandbox_shows_what_julia_asks_its_kernel_for(void **state)
{
    (void)state;
    xf_test_tree tree = fake_julia("v1.10");
    const char *program = xf_test_path(&tree, "/julia/bin/julia");
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    assert_int_equal(locate(program, NULL, &runtime, NULL), EXTFN_OK);
    assert_string_equal(runtime.files[0].place, "/proc/cpuinfo");
    assert_string_equal(runtime.files[1].place, "/proc/meminfo");
    assert_int_equal(runtime.devices.count, 1);
    assert_string_equal(runtime.devices.items[0], "/dev/urandom");
    assert_int_equal(runtime.symlinks.count, 2);
    assert_string_equal(runtime.symlinks.items[0], program);
    assert_string_equal(runtime.symlinks.items[1], "/proc/self/exe");
    assert_true(runtime.address_space == UINT64_C(64) << 30);
    assert_true(runtime.file_bytes == 256U << 20);
    xf_test_tree_free(&tree);
}

static void an_official_julia_is_bound_as_a_whole(void **state)
{
    (void)state;
    xf_test_tree tree = fake_julia("v1.10");
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    const char *program = xf_test_path(&tree, "/julia/bin/julia");
    assert_int_equal(locate(program, NULL, &runtime, NULL), EXTFN_OK);
    assert_string_equal(runtime.argv.items[0], program);
    assert_int_equal(runtime.binds.count, 1);
    assert_string_equal(runtime.binds.items[0], xf_test_path(&tree, "/julia"));
    assert_false(has_argument(&runtime, "--compile=min"));
    xf_test_tree_free(&tree);
}

static void versions_differ_in_their_options(void **state)
{
    (void)state;
    xf_test_tree tree = fake_julia("v1.12");
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    const char *program = xf_test_path(&tree, "/julia/bin/julia");
    assert_int_equal(locate(program, NULL, &runtime, NULL), EXTFN_OK);
    assert_true(has_argument(&runtime, "--compiled-modules=existing"));
    assert_true(has_argument(&runtime, "--threads=1,0"));
    xf_test_tree_free(&tree);
}

static void packages_are_depots_or_projects(void **state)
{
    (void)state;
    xf_test_tree tree = fake_julia("v1.10");
    xf_test_folder(&tree, "/depot/packages");
    xf_test_folder(&tree, "/depot/compiled");
    xf_test_folder(&tree, "/project");
    char packages[512];
    char expected[1024];
    const char *depot = xf_test_path(&tree, "/depot");
    const char *project = xf_test_path(&tree, "/project");
    (void)snprintf(packages, sizeof(packages), "%s:%s", depot, project);
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    const char *program = xf_test_path(&tree, "/julia/bin/julia");
    assert_int_equal(locate(program, packages, &runtime, NULL), EXTFN_OK);
    assert_true(xf_test_has(&runtime.binds, depot));
    assert_true(xf_test_has(&runtime.binds, project));
    (void)snprintf(expected, sizeof(expected), "/tmp/depot:%s:%s/share/julia", depot,
                   xf_test_path(&tree, "/julia"));
    assert_string_equal(xf_test_value(&runtime.environment, "JULIA_DEPOT_PATH"), expected);
    (void)snprintf(expected, sizeof(expected), "%s/environments/v1.10:%s:@stdlib", depot, project);
    assert_string_equal(xf_test_value(&runtime.environment, "JULIA_LOAD_PATH"), expected);
    assert_true(has_argument(&runtime, "--compiled-modules=yes"));
    xf_test_tree_free(&tree);
}

static void assert_refused(const char *path, const char *reason)
{
    extfn_error err = {0};
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    assert_int_equal(locate(path, NULL, &runtime, &err), EXTFN_EUNAVAILABLE);
    if (!strstr(err.message, reason))
        fail_msg("'%s' is not in: %s", reason, err.message);
}

static void an_old_julia_or_a_program_that_is_none_is_refused(void **state)
{
    (void)state;
    xf_test_tree tree = fake_julia("v1.4");
    assert_refused(xf_test_path(&tree, "/julia/bin/julia"),
                   "is Julia 1.4, too old; install Julia 1.5 or newer");
    xf_test_tree_free(&tree);
    tree = xf_test_tree_new();
    xf_test_fake(&tree, "/bin/julia", "");
    assert_refused(xf_test_path(&tree, "/bin/julia"), "has no share/julia/stdlib beside it");
    xf_test_tree_free(&tree);
    assert_refused("/usr/bin/true", "is not bin/julia of an installation");
    assert_refused("/nonexistent/bin/julia", "is not an executable file");
}

static void locate_survives_oom(void **state)
{
    (void)state;
    xf_test_tree tree = fake_julia("v1.10");
    const char *program = xf_test_path(&tree, "/julia/bin/julia");
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
        status = locate(program, tree.root, &runtime, NULL);
    });
    xf_test_tree_free(&tree);
}

static const char *refusal(extfn_value value)
{
    return xf_language_get(EXTFN_JULIA)->refusal(&value);
}

static void datetimes_with_microseconds_are_refused(void **state)
{
    (void)state;
    static const char told[] = "Julia's DateTime holds milliseconds";
    assert_null(refusal(extfn_value_datetime(0)));
    assert_null(refusal(extfn_value_datetime(-1000)));
    assert_null(refusal(extfn_value_datetime(1735787045123000)));
    assert_null(refusal(extfn_value_datetime(XF_DATETIME_LOWEST)));
    assert_string_equal(refusal(extfn_value_datetime(1)), told);
    assert_string_equal(refusal(extfn_value_datetime(-999)), told);
    assert_string_equal(refusal(extfn_value_datetime(XF_DATETIME_HIGHEST)), told);
}

static void text_with_a_nul_is_fine(void **state)
{
    (void)state;
    char text[] = "a\0b";
    extfn_value value = {.type = EXTFN_TEXT, .as.text = {.data = text, .size = 3}};
    assert_null(refusal(value));
    assert_null(refusal(extfn_value_number(1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(debian_s_julia_is_known_without_asking),
        cmocka_unit_test(the_sandbox_shows_what_julia_asks_its_kernel_for),
        cmocka_unit_test(an_official_julia_is_bound_as_a_whole),
        cmocka_unit_test(versions_differ_in_their_options),
        cmocka_unit_test(packages_are_depots_or_projects),
        cmocka_unit_test(an_old_julia_or_a_program_that_is_none_is_refused),
        cmocka_unit_test(locate_survives_oom),
        cmocka_unit_test(datetimes_with_microseconds_are_refused),
        cmocka_unit_test(text_with_a_nul_is_fine),
    };
    return cmocka_run_group_tests_name("julia", tests, NULL, NULL);
}
