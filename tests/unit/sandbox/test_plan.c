#include "base/auto.h"
#include "sandbox/host_libraries.h"
#include "sandbox/limits.h"
#include "sandbox/plan.h"
#include "sandbox/programs.h"
#include "support/oom.h"
#include "support/unit.h"

#include <string.h>

static const xf_plan_file driver = {.place = "/b/driver.x", .data = "code", .size = 4};

static const xf_policy confined = {
    .confinement = XF_CONFINED,
    .bwrap_path = "/usr/bin/bwrap",
    .memory_bytes = 1U << 30,
    .tmp_bytes = 32U << 20,
    .start_timeout_us = 30000000,
    .uid_first = 2000000000,
    .uid_count = 1000,
    .group = "/sys/fs/cgroup/x",
};

static void fill(xf_runtime *runtime)
{
    static const char *const argv[] = {"/usr/bin/@driver", "-a", "--file=@driver;", "@guest", "@x"};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(xf_strings_add(&runtime->argv, argv[i], NULL), EXTFN_OK);
    assert_int_equal(xf_strings_add(&runtime->environment, "SEED", NULL), EXTFN_OK);
    assert_int_equal(xf_strings_add(&runtime->environment, "0", NULL), EXTFN_OK);
    assert_int_equal(xf_strings_add(&runtime->binds, "/opt/x", NULL), EXTFN_OK);
    runtime->base_memory = 1U << 20;
}

static void build(const xf_policy *policy, xf_launch *ret_launch)
{
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    fill(&runtime);
    assert_int_equal(xf_launch_build(policy, &runtime, &driver, ret_launch, NULL), EXTFN_OK);
}

static xf_plan header_of(const xf_launch *launch)
{
    xf_plan plan;
    assert_true(launch->bytes.size > sizeof(plan));
    memcpy(&plan, launch->bytes.data, sizeof(plan));
    assert_int_equal(plan.magic, XF_WIRE_MAGIC);
    assert_int_equal(plan.version, XF_WIRE_VERSION);
    assert_int_equal(plan.strings_size, launch->bytes.size - sizeof(plan));
    assert_int_equal(plan.file_count, launch->file_count);
    return plan;
}

/* The plan's strings, expected in this order, NULL at the end. */
static void assert_strings(const xf_launch *launch, const char *const expected[])
{
    const char *at = launch->bytes.data + sizeof(xf_plan);
    const char *end = launch->bytes.data + launch->bytes.size;
    for (size_t i = 0; expected[i]; i++) {
        assert_true(at < end);
        assert_string_equal(at, expected[i]);
        at += strlen(at) + 1;
    }
    if (header_of(launch).has_group) {
        assert_string_equal(at, confined.group);
        at += strlen(at) + 1;
    }
    assert_ptr_equal(at, end);
}

#define LIMITS "data=1074790400,as=4567597056,nofile=256,fsize=33554432"
#define REST "stack=8388608,core=1,memlock=0,msgqueue=0,sigpending=256"

static const char limits_of_own_uid[] = LIMITS ",nproc=35," REST ",filter=15";
static const char limits_in_bwrap[] = LIMITS ",nproc=34," REST ",filter=0";
static const char limits_of_shared_uid[] = LIMITS "," REST ",filter=15";

/* This machine's libraries stand between the fixed words. */
static void assert_confined(const xf_launch *launch, uint32_t argc)
{
    const char *words[64] = {"/usr/bin/bwrap", "--args",        "16", "--",
                             "/b/extfn-enter", limits_in_bwrap, "8"};
    const char *const rest[] = {"/opt/x",
                                "/b/extfn-enter",
                                "/b/extfn-guest.so",
                                "/b/driver.x",
                                "/home",
                                "--",
                                "/usr/bin/@driver",
                                "-a",
                                "--file=/b/driver.x;",
                                "/b/extfn-guest.so",
                                "@x"};
    XF_AUTO(xf_host_libraries_clear) xf_host_libraries libraries = {0};
    assert_int_equal(xf_host_libraries_look("", &libraries, NULL), EXTFN_OK);
    size_t count = 7;
    for (size_t i = 0; i < libraries.binds.count; i++)
        words[count++] = libraries.binds.items[i];
    for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
        words[count++] = rest[i];
    assert_strings(launch, words);
    assert_int_equal(argc, count);
}

static void confined_is_bwrap_with_its_arguments_in_the_last_file(void **state)
{
    (void)state;
    XF_AUTO(xf_launch_clear) xf_launch launch = {0};
    build(&confined, &launch);
    xf_plan plan = header_of(&launch);
    assert_int_equal(plan.envc, 0);
    assert_int_equal(plan.uid_first, 2000000000);
    assert_int_equal(plan.uid_count, 1000);
    assert_int_equal(plan.start_limit_us, 30000000);
    assert_int_equal(plan.memory_limit, (1024U + 1U + 8U + 64U) << 20);
    assert_int_equal(plan.tmp_file_limit, 4096);
    assert_int_equal(plan.has_group, 1);
    assert_int_equal(plan.group_memory, (1024U + 1U + 8U + 64U + 64U + 64U + 32U) << 20);
    assert_int_equal(plan.group_tasks, 64);
    assert_confined(&launch, plan.argc);
    assert_int_equal(launch.file_count, 5);
    assert_string_equal(launch.files[0].place, XF_PLACE_ENTER);
    assert_ptr_equal(launch.files[0].data, xf_program_enter);
    assert_ptr_equal(launch.files[1].data, xf_program_guest);
    assert_ptr_equal(launch.files[2].data, driver.data);
    assert_ptr_equal(launch.files[3].data, xf_program_filter);
    assert_ptr_equal(launch.files[4].data, launch.args.data);
    assert_int_equal(launch.files[4].size, launch.args.size);
    const char filter[] = "--seccomp\00015\0--remount-ro";
    assert_non_null(memmem(launch.args.data, launch.args.size, filter, sizeof(filter)));
    const char bound[] = "--ro-bind-data\00014\0/b/driver.x";
    assert_non_null(memmem(launch.args.data, launch.args.size, bound, sizeof(bound)));
}

#define WORLD                                                                                      \
    "TZ=UTC", "LC_ALL=C.UTF-8", "HOME=/tmp", "PATH=/usr/bin:/bin", "OPENBLAS_NUM_THREADS=1",       \
        "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1", "MALLOC_ARENA_MAX=2", "SEED=0"

#define WITHOUT_BWRAP(limits)                                                                      \
    {                                                                                              \
        "/proc/self/fd/12", limits, "15", "--", "/usr/bin/@driver", "-a",                          \
            "--file=/proc/self/fd/14;", "/proc/self/fd/13", "@x", WORLD, NULL                      \
    }

static void unconfined_runs_by_descriptor_in_the_fixed_world(void **state)
{
    (void)state;
    xf_policy policy = confined;
    policy.confinement = XF_UNCONFINED;
    XF_AUTO(xf_launch_clear) xf_launch launch = {0};
    build(&policy, &launch);
    xf_plan plan = header_of(&launch);
    assert_int_equal(plan.argc, 9);
    assert_int_equal(plan.envc, 9);
    assert_int_equal(plan.tmp_file_limit, 0); /* /tmp is the host's */
    assert_int_equal(launch.file_count, 4);
    assert_strings(&launch, (const char *[])WITHOUT_BWRAP(limits_of_own_uid));
}

static void a_shared_uid_has_no_process_limit(void **state)
{
    (void)state;
    xf_policy policy = confined;
    policy.confinement = XF_UNCONFINED;
    policy.uid_count = 0;
    XF_AUTO(xf_launch_clear) xf_launch launch = {0};
    build(&policy, &launch);
    assert_int_equal(header_of(&launch).has_group, 0);
    assert_strings(&launch, (const char *[])WITHOUT_BWRAP(limits_of_shared_uid));
}

static void trusted_has_the_world_and_no_limits(void **state)
{
    (void)state;
    xf_policy policy = confined;
    policy.confinement = XF_TRUSTED;
    XF_AUTO(xf_launch_clear) xf_launch launch = {0};
    build(&policy, &launch);
    assert_strings(&launch, (const char *[])WITHOUT_BWRAP("trusted=1"));
    assert_int_equal(header_of(&launch).memory_limit, 0);
    assert_int_equal(header_of(&launch).tmp_file_limit, 0);
    assert_int_equal(header_of(&launch).has_group, 0);
}

static void limits_never_wrap(void **state)
{
    (void)state;
    char text[XF_LIMITS_SIZE];
    const xf_policy policy = {.memory_bytes = UINT64_MAX, .tmp_bytes = UINT64_MAX};
    xf_limits_write(&policy, &(xf_runtime){.base_memory = UINT64_MAX}, text);
    assert_non_null(strstr(text, "data=2305843009213693952,as=9223372037123211264,"));
    const xf_policy empty = {0};
    xf_limits_write(&empty, &(xf_runtime){0}, text);
    assert_non_null(strstr(text, "fsize=67108864,"));
}

static void a_runtime_raises_limits_and_never_lowers_them(void **state)
{
    (void)state;
    char text[XF_LIMITS_SIZE];
    const xf_runtime large = {.address_space = UINT64_C(1) << 36, .file_bytes = 256U << 20};
    xf_limits_write(&confined, &large, text);
    assert_non_null(strstr(text, "data=1073741824,as=68719476736,"));
    assert_non_null(strstr(text, "fsize=268435456,"));
    const xf_runtime small = {.address_space = 1, .file_bytes = 1};
    xf_limits_write(&confined, &small, text);
    assert_non_null(strstr(text, "as=4563402752,nofile=256,fsize=33554432,"));
}

/* They stand between the driver and bubblewrap's arguments, and only in a sandbox. */
static void a_runtime_s_own_files_are_the_sandbox_s_only(void **state)
{
    (void)state;
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    fill(&runtime);
    runtime.files[0] = (xf_plan_file){.place = "/proc/cpuinfo", .data = "cpu", .size = 3};
    XF_AUTO(xf_launch_clear) xf_launch launch = {0};
    assert_int_equal(xf_launch_build(&confined, &runtime, &driver, &launch, NULL), EXTFN_OK);
    assert_int_equal(launch.file_count, 6);
    assert_string_equal(launch.files[4].place, "/proc/cpuinfo");
    const char bound[] = "0444\0--ro-bind-data\00016\0/proc/cpuinfo";
    assert_non_null(memmem(launch.args.data, launch.args.size, bound, sizeof(bound)));
    const char list[] = "/usr/bin/bwrap\0--args\00017";
    assert_non_null(memmem(launch.bytes.data, launch.bytes.size, list, sizeof(list)));
    xf_policy policy = confined;
    policy.confinement = XF_UNCONFINED;
    XF_AUTO(xf_launch_clear) xf_launch bare = {0};
    assert_non_null(memmem(launch.bytes.data, launch.bytes.size, "\0/proc/cpuinfo", 15));
    assert_int_equal(xf_launch_build(&policy, &runtime, &driver, &bare, NULL), EXTFN_OK);
    assert_int_equal(bare.file_count, 4);
}

static void build_survives_oom(void **state)
{
    (void)state;
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    fill(&runtime);
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_launch_clear) xf_launch launch = {0};
        status = xf_launch_build(&confined, &runtime, &driver, &launch, NULL);
    });
    xf_policy policy = confined;
    policy.confinement = XF_TRUSTED;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_launch_clear) xf_launch launch = {0};
        status = xf_launch_build(&policy, &runtime, &driver, &launch, NULL);
    });
}

static void strings_grow_and_survive_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_strings_clear) xf_strings list = {0};
        status = EXTFN_OK;
        for (int i = 0; i < 40 && status == EXTFN_OK; i++)
            status = xf_strings_add_format(&list, NULL, "word %d", i);
        size_t count = list.count;
        assert_true(count == 0 || list.items[count] == NULL);
        assert_true(count < 40 || strcmp(list.items[39], "word 39") == 0);
        assert_true(status != EXTFN_OK || count == 40);
        status = status == EXTFN_OK ? xf_strings_add(&list, "last", NULL) : status;
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(confined_is_bwrap_with_its_arguments_in_the_last_file),
        cmocka_unit_test(unconfined_runs_by_descriptor_in_the_fixed_world),
        cmocka_unit_test(a_shared_uid_has_no_process_limit),
        cmocka_unit_test(trusted_has_the_world_and_no_limits),
        cmocka_unit_test(limits_never_wrap),
        cmocka_unit_test(a_runtime_raises_limits_and_never_lowers_them),
        cmocka_unit_test(a_runtime_s_own_files_are_the_sandbox_s_only),
        cmocka_unit_test(build_survives_oom),
        cmocka_unit_test(strings_grow_and_survive_oom),
    };
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
