#include "base/auto.h"
#include "sandbox/bwrap_args.h"
#include "sandbox/programs.h"
#include "support/golden.h"
#include "support/oom.h"

#define GOLDEN(name) XF_TEST_SOURCE "/sandbox/golden/" name ".txt"

static const xf_policy policy = {.confinement = XF_CONFINED, .tmp_bytes = 64U << 20};

static const xf_plan_file files[] = {
    {.place = XF_PLACE_ENTER},
    {.place = XF_PLACE_GUEST},
    {.place = "/b/driver.py"},
};

/* Borrowed words as the list that the functions take. */
#define LIST(...)                                                                                  \
    {                                                                                              \
        .items = (char *[]){__VA_ARGS__},                                                          \
        .count = sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)                                  \
    }
#define W(text) ((char[]){text})

static extfn_status build(const xf_host_libraries *libraries, const xf_runtime *runtime,
                          xf_buf *args)
{
    return xf_bwrap_args(&policy, libraries, runtime, files, 3, args, NULL);
}

/* One option a line: a new line before each word that begins with --. */
static void assert_golden(const char *path, const xf_host_libraries *libraries,
                          const xf_runtime *runtime)
{
    XF_AUTO(xf_buf_clear) xf_buf args = {0};
    assert_int_equal(build(libraries, runtime, &args), EXTFN_OK);
    for (size_t i = 0; i < args.size; i++) {
        if (args.data[i] == 0)
            args.data[i] = strncmp(args.data + i + 1, "--", 2) == 0 ? '\n' : ' ';
    }
    args.data[args.size - 1] = '\n';
    assert_int_equal(xf_buf_append(&args, "", 1, NULL), EXTFN_OK);
    xf_test_golden(path, args.data);
}

static void a_merged_system_with_python(void **state)
{
    (void)state;
    const xf_host_libraries libraries = {
        .binds = LIST(W("/usr/lib/x86_64-linux-gnu"), W("/usr/lib64"), W("/usr/lib/locale/C.utf8")),
        .symlinks = LIST(W("usr/lib"), W("/lib"), W("usr/lib64"), W("/lib64")),
    };
    const xf_runtime runtime = {
        .binds = LIST(W("/usr/bin/python3.11"), W("/usr/lib/python3.11")),
        .environment = LIST(W("PYTHONHASHSEED"), W("0")),
    };
    assert_golden(GOLDEN("merged-python"), &libraries, &runtime);
}

static void a_system_that_is_not_merged_with_r(void **state)
{
    (void)state;
    const xf_host_libraries libraries = {
        .binds = LIST(W("/usr/lib/x86_64-linux-gnu"), W("/lib/x86_64-linux-gnu"), W("/lib64")),
    };
    const xf_runtime runtime = {
        .binds = LIST(W("/usr/lib/R"), W("/usr/share/R/share"), W("/etc/R")),
        .symlinks = LIST(W("x"), W("/etc/alternatives/x")),
        .environment = LIST(W("R_HOME"), W("/usr/lib/R")),
        .needs_stub_shell = true,
    };
    assert_golden(GOLDEN("unmerged-r"), &libraries, &runtime);
}

static void devices_and_links_of_julia(void **state)
{
    (void)state;
    const xf_host_libraries libraries = {.binds = LIST(W("/usr/lib/x86_64-linux-gnu"))};
    const xf_runtime runtime = {
        .binds = LIST(W("/usr/bin/julia"), W("/usr/share/julia")),
        .symlinks = LIST(W("/usr/bin/julia"), W("/proc/self/exe")),
        .devices = LIST(W("/dev/urandom")),
    };
    assert_golden(GOLDEN("julia"), &libraries, &runtime);
}

static void what_another_bind_shows_is_not_bound_again(void **state)
{
    (void)state;
    const xf_host_libraries libraries = {
        .binds = LIST(W("/usr/lib64"), W("/usr/lib"), W("/usr/lib/locale"))};
    const xf_runtime runtime = {
        .binds = LIST(W("/opt/py"), W("/opt/py/lib"), W("/opt/py"), W("/opt/python"),
                      W("/usr/lib/python3.11"), W("/usr/lib64")),
        .symlinks = LIST(W("a"), W("/opt/py/link"), W("b"), W("/opt/link")),
    };
    assert_golden(GOLDEN("covered"), &libraries, &runtime);
}

static void words_that_look_like_options_stay_values(void **state)
{
    (void)state;
    const xf_host_libraries libraries = {0};
    const xf_runtime runtime = {.environment = LIST(W("NAME"), W("--bind / /"))};
    XF_AUTO(xf_buf_clear) xf_buf args = {0};
    assert_int_equal(build(&libraries, &runtime, &args), EXTFN_OK);
    const char wanted[] = "--setenv\0NAME\0--bind / /";
    assert_non_null(memmem(args.data, args.size, wanted, sizeof(wanted)));
}

static void args_survive_oom(void **state)
{
    (void)state;
    const xf_host_libraries libraries = {.binds = LIST(W("/usr/lib"))};
    const xf_runtime runtime = {.binds = LIST(W("/opt/py")), .needs_stub_shell = true};
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_buf_clear) xf_buf args = {0};
        status = build(&libraries, &runtime, &args);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_merged_system_with_python),
        cmocka_unit_test(a_system_that_is_not_merged_with_r),
        cmocka_unit_test(devices_and_links_of_julia),
        cmocka_unit_test(what_another_bind_shows_is_not_bound_again),
        cmocka_unit_test(words_that_look_like_options_stay_values),
        cmocka_unit_test(args_survive_oom),
    };
    return cmocka_run_group_tests_name("bwrap_args", tests, NULL, NULL);
}
