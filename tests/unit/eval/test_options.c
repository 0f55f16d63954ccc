#include "eval/options.h"

#include "base/kernel.h"
#include "support/oom.h"
#include "support/unit.h"

#include <stdlib.h>
#include <string.h>

static void what_is_not_given_has_its_default(void **state)
{
    (void)state;
    extfn_host_options options;
    assert_int_equal(xf_options_copy(NULL, &options, NULL), EXTFN_OK);
    assert_int_equal(options.policy, EXTFN_RESTRICTED);
    assert_false(options.is_unsandboxed_allowed);
    assert_string_equal(options.search_path, "/usr/local/bin:/usr/bin:/bin");
    assert_int_equal(options.timeout_us, 5000000);
    assert_int_equal(options.start_timeout_us, 30000000);
    assert_int_equal(options.memory_bytes, 1 << 30);
    assert_int_equal(options.tmp_bytes, 64 << 20);
    assert_int_equal(options.warm_workers, 16);
    assert_in_range(options.workers_memory_bytes, 1, xf_kernel_memory() / 2);
    assert_int_equal(options.worker_age_us, 3600000000);
    assert_int_equal(options.worker_calls, 0);
    assert_null(options.interpreters[EXTFN_PYTHON]);
    assert_int_equal(options.uid_first, 2000000000);
    assert_int_equal(options.uid_count, 1000);
    assert_int_equal(options.memo_bytes, 0);
    xf_options_clear(&options);
    assert_null(options.search_path);
}

static void results_may_take_an_eighth_of_the_memory(void **state)
{
    (void)state;
    extfn_host_options options;
    assert_int_equal(xf_options_copy(NULL, &options, NULL), EXTFN_OK);
    uint64_t limit = xf_options_result_limit();
    assert_true(limit >= 256 << 20);
    assert_true(limit == 256 << 20 || limit == options.workers_memory_bytes / 4);
    xf_options_clear(&options);
}

static void what_is_given_is_copied(void **state)
{
    (void)state;
    char path[] = "/opt/python";
    const extfn_host_options given = {.struct_size = sizeof(given),
                                      .policy = EXTFN_TRUSTED,
                                      .timeout_us = 7,
                                      .interpreters = {[EXTFN_PYTHON] = path},
                                      .packages = {[EXTFN_R] = "/opt/r"}};
    extfn_host_options options;
    assert_int_equal(xf_options_copy(&given, &options, NULL), EXTFN_OK);
    path[0] = '!';
    assert_int_equal(options.policy, EXTFN_TRUSTED);
    assert_int_equal(options.timeout_us, 7);
    assert_string_equal(options.interpreters[EXTFN_PYTHON], "/opt/python");
    assert_string_equal(options.packages[EXTFN_R], "/opt/r");
    xf_options_clear(&options);
}

/* A program that was compiled against an older header. */
static void a_shorter_struct_is_read_as_far_as_it_goes(void **state)
{
    (void)state;
    const extfn_host_options given = {.struct_size = offsetof(extfn_host_options, timeout_us),
                                      .policy = EXTFN_TRUSTED,
                                      .timeout_us = 7,
                                      .search_path = "/x"};
    extfn_host_options options;
    assert_int_equal(xf_options_copy(&given, &options, NULL), EXTFN_OK);
    assert_int_equal(options.policy, EXTFN_TRUSTED);
    assert_string_equal(options.search_path, "/x");
    assert_int_equal(options.timeout_us, 5000000);
    xf_options_clear(&options);
    const extfn_call_options call = {.struct_size = offsetof(extfn_call_options, deadline_us),
                                     .timeout_us = 3,
                                     .deadline_us = 4};
    extfn_call_options known;
    assert_int_equal(xf_call_options_read(&call, &known, NULL), EXTFN_OK);
    assert_int_equal(known.timeout_us, 3);
    assert_int_equal(known.deadline_us, 0);
    assert_int_equal(known.struct_size, sizeof(known));
}

static void negative_limits_are_refused(void **state)
{
    (void)state;
    static const extfn_host_options hosts[] = {
        {.struct_size = sizeof(extfn_host_options), .timeout_us = -1},
        {.struct_size = sizeof(extfn_host_options), .start_timeout_us = -1},
        {.struct_size = sizeof(extfn_host_options), .worker_age_us = -1}};
    static const extfn_call_options calls[] = {
        {.struct_size = sizeof(extfn_call_options), .timeout_us = -1},
        {.struct_size = sizeof(extfn_call_options), .deadline_us = -1},
        {.struct_size = sizeof(extfn_call_options), .chunk_rows = -1}};
    extfn_error err = {0};
    for (size_t i = 0; i < 3; i++) {
        extfn_host_options options;
        assert_int_equal(xf_options_copy(&hosts[i], &options, &err), EXTFN_EINVAL);
        assert_string_equal(err.message, "host options: a time limit is negative");
    }
    for (size_t i = 0; i < 3; i++) {
        extfn_call_options options;
        assert_int_equal(xf_call_options_read(&calls[i], &options, &err), EXTFN_EINVAL);
        assert_string_equal(err.message, "call options: a limit is negative");
    }
}

static void copying_survives_oom(void **state)
{
    (void)state;
    const extfn_host_options given = {.struct_size = sizeof(given),
                                      .search_path = "/x",
                                      .interpreters = {"/a", "/b"},
                                      .packages = {"/c", "/d"}};
    extfn_host_options options;
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, status = xf_options_copy(&given, &options, NULL));
    xf_options_clear(&options);
}

/* NOLINTBEGIN(concurrency-mt-unsafe): this program has one thread */
static void the_environment_decides(void **state)
{
    (void)state;
    assert_int_equal(setenv("IMPROV_EXTFN_TRUSTED", "yes", 1), 0);
    assert_int_equal(unsetenv("IMPROV_EXTFN_ALLOW_UNSANDBOXED"), 0);
    assert_int_equal(setenv("EXTFN_INTERPRETER_R", "", 1), 0);
    assert_int_equal(setenv("EXTFN_INTERPRETER_PYTHON", "/p", 1), 0);
    extfn_host_options options;
    extfn_host_options_from_environment(&options);
    assert_int_equal(options.struct_size, sizeof(options));
    assert_int_equal(options.policy, EXTFN_RESTRICTED); /* 1 and nothing else */
    assert_false(options.is_unsandboxed_allowed);
    assert_string_equal(options.interpreters[EXTFN_PYTHON], "/p");
    assert_null(options.interpreters[EXTFN_R]);
    assert_int_equal(setenv("IMPROV_EXTFN_TRUSTED", "1", 1), 0);
    assert_int_equal(setenv("IMPROV_EXTFN_ALLOW_UNSANDBOXED", "1", 1), 0);
    extfn_host_options_from_environment(&options);
    assert_int_equal(options.policy, EXTFN_TRUSTED);
    assert_true(options.is_unsandboxed_allowed);
}
/* NOLINTEND(concurrency-mt-unsafe) */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_given_has_its_default),
        cmocka_unit_test(results_may_take_an_eighth_of_the_memory),
        cmocka_unit_test(what_is_given_is_copied),
        cmocka_unit_test(a_shorter_struct_is_read_as_far_as_it_goes),
        cmocka_unit_test(negative_limits_are_refused),
        cmocka_unit_test(copying_survives_oom),
        cmocka_unit_test(the_environment_decides),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
