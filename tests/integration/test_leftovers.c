/* What a worker outside of a sandbox leaves in the host's /tmp, and what it leaves alone.
 * SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/temporary.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

static extfn_host *unsandboxed_host(void)
{
    return test_host(
        &(extfn_host_options){.search_path = "/nowhere", .is_unsandboxed_allowed = true});
}

/* Each evaluated by a trusted and by an unsandboxed worker; the result is a path. */
static void assert_leaves_nothing(extfn_language language, const char *signature, const char *body)
{
    for (int i = 0; i < 2; i++) {
        extfn_host *host = i ? unsandboxed_host() : test_trusted_host();
        extfn_function *function = test_function(language, signature, body);
        test_result result = test_call(host, function, NULL, 0, 10);
        ASSERT_OK(result);
        extfn_function_unref(function);
        extfn_host_free(host);
        assert_memory_equal(result.value.as.text.data, "/tmp/Rtmp", 9);
        if (access(result.value.as.text.data, F_OK) == 0)
            fail_msg("%s is there", result.value.as.text.data);
        test_result_clear(&result);
    }
}

static void the_temporary_directory_of_r_is_gone_with_a_warm_worker(void **state)
{
    (void)state;
    REQUIRE_R();
    assert_leaves_nothing(EXTFN_R, "->T", "result <- tempdir()");
}

static void the_temporary_directory_of_r_is_gone_after_an_impure_call(void **state)
{
    (void)state;
    REQUIRE_R();
    assert_leaves_nothing(EXTFN_R, "->T!", "result <- tempdir()");
}

static void a_worker_that_does_not_quit_is_ended(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_trusted_host();
    extfn_function *function = test_function(
        EXTFN_PYTHON, "->N",
        "import threading, time\nthreading.Thread(target=lambda: time.sleep(60)).start()\n"
        "import os\nresult = os.getpid()");
    test_result result = test_call(host, function, NULL, 0, 10);
    ASSERT_OK(result);
    extfn_function_unref(function);
    extfn_host_free(host);
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%.0f", result.value.as.number);
    assert_int_equal(access(path, F_OK), -1);
    test_result_clear(&result);
}

/* What makes the drivers give back all of their world after a row. */
static const struct {
    extfn_language language;
    const char *body;
} reaching[] = {
    {EXTFN_PYTHON, "import os, sys, tempfile\nos.environ['X'] = '1'\nresult = 1.0"},
    {EXTFN_R, "Sys.setenv(X = '1'); options(digits = 3); setwd('/'); x <<- 1; result <- 1"},
    {EXTFN_JULIA, "ENV[\"X\"] = \"1\"; cd(\"/\"); open; result = 1"},
};

static void apply_to_rows(extfn_host *host, extfn_language language, const char *body)
{
    static const double numbers[] = {1, 2, 3};
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new_numbers(numbers, 3, &column, NULL), EXTFN_OK);
    const extfn_column *columns[] = {column};
    extfn_function *function = test_function(language, "N(y)->N", body);
    extfn_column *result = NULL;
    extfn_error err = {0};
    for (int i = 0; i < 2; i++) {
        if (extfn_host_apply(host, function, columns, 1, 3, NULL, &result, &err) != EXTFN_OK)
            fail_msg("%s", err.message);
        assert_int_equal(extfn_column_error_count(result), 0);
        extfn_column_free(result);
    }
    extfn_function_unref(function);
    extfn_column_free(column);
}

static void the_files_of_the_host_in_tmp_stay(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    REQUIRE_R();
    REQUIRE_JULIA();
    char folder[TEMPORARY_SIZE];
    assert_non_null(temporary_folder(folder, sizeof(folder), "/tmp"));
    char file[64];
    (void)snprintf(file, sizeof(file), "%s/file", folder);
    int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    assert_int_equal(chdir("/tmp"), 0);
    assert_int_equal(setenv("TMPDIR", "/tmp", 1), 0); /* NOLINT(concurrency-mt-unsafe) */
    for (size_t i = 0; i < sizeof(reaching) / sizeof(reaching[0]); i++) {
        for (int k = 0; k < 2; k++) {
            extfn_host *host = k ? unsandboxed_host() : test_trusted_host();
            apply_to_rows(host, reaching[i].language, reaching[i].body);
            extfn_host_free(host);
        }
    }
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_temporary_directory_of_r_is_gone_with_a_warm_worker),
        cmocka_unit_test(the_temporary_directory_of_r_is_gone_after_an_impure_call),
        cmocka_unit_test(a_worker_that_does_not_quit_is_ended),
        cmocka_unit_test(the_files_of_the_host_in_tmp_stay),
    };
    return cmocka_run_group_tests_name("leftovers", tests, NULL, NULL);
}
