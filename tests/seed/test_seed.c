/* The predecessor's own tests of library, Python, R and sandbox, through the C API: `seed_` and the
 * name that it has there. SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#define SECOND_US INT64_C(1000000)

static extfn_function *add_fn(void)
{
    return test_function(EXTFN_PYTHON, "NN->N", "result = args[0] + args[1]");
}

static void seed_registry_roundtrip(void **state)
{
    (void)state;
    extfn_registry *registry = NULL;
    assert_int_equal(extfn_registry_new(&registry, NULL), EXTFN_OK);
    assert_int_equal(extfn_registry_timeout(registry), 5 * SECOND_US);
    assert_int_equal(extfn_registry_set_timeout(registry, 7000, NULL), EXTFN_OK);
    assert_int_equal(extfn_registry_timeout(registry), 7000);
    assert_true(extfn_registry_is_empty(registry));
    extfn_function *add = add_fn();
    extfn_function *former = NULL;
    assert_int_equal(extfn_registry_register(registry, add, &former, NULL), EXTFN_OK);
    assert_null(former);
    assert_int_equal(extfn_registry_count(registry), 1);
    extfn_function *got = extfn_registry_get(registry, "f");
    assert_non_null(got);
    assert_int_equal(extfn_function_arity(got), 2);
    assert_int_equal(extfn_function_return_type(got), EXTFN_NUMBER);
    assert_true(extfn_function_is_pure(got));
    extfn_function_unref(got);
    assert_int_equal(extfn_registry_register(registry, add, &former, NULL), EXTFN_OK);
    assert_non_null(former);
    extfn_function_unref(former);
    assert_null(extfn_registry_get(registry, "missing"));
    extfn_function_unref(add);
    extfn_registry_free(registry);
}

static void seed_not_found(void **state)
{
    (void)state;
    extfn_registry *registry = NULL;
    assert_int_equal(extfn_registry_new(&registry, NULL), EXTFN_OK);
    extfn_host *host = test_host(NULL);
    extfn_value value = {0};
    extfn_error err = {0};
    assert_int_equal(extfn_registry_eval(registry, host, "nope", NULL, 0, NULL, &value, &err),
                     EXTFN_ENOTFOUND);
    assert_string_equal(err.message, "external function not found: nope");
    extfn_host_free(host);
    extfn_registry_free(registry);
}

static void seed_arity_mismatch_without_python(void **state)
{
    (void)state;
    extfn_host *host = test_host(NULL);
    extfn_function *add = add_fn();
    extfn_value one = extfn_value_number(1);
    test_result result = test_call(host, add, &one, 1, 2);
    ASSERT_FAILS(result, EXTFN_EARITY, "function f: expected 2 argument(s), got 1");
    extfn_function_unref(add);
    extfn_host_free(host);
}

static void seed_type_mismatch_without_python(void **state)
{
    (void)state;
    extfn_host *host = test_host(NULL);
    extfn_function *add = add_fn();
    extfn_value args[] = {extfn_value_number(1), test_text("nope")};
    test_result result = test_call(host, add, args, 2, 2);
    ASSERT_FAILS(result, EXTFN_ETYPE,
                 "function f: argument 1 type mismatch, expected Number, got Text");
    extfn_value_clear(&args[1]);
    extfn_function_unref(add);
    extfn_host_free(host);
}

static void seed_python_add_numbers(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_registry *registry = NULL;
    assert_int_equal(extfn_registry_new(&registry, NULL), EXTFN_OK);
    assert_int_equal(extfn_registry_set_timeout(registry, 2 * SECOND_US, NULL), EXTFN_OK);
    extfn_function *add = add_fn();
    assert_int_equal(extfn_registry_register(registry, add, NULL, NULL), EXTFN_OK);
    extfn_host *host = test_host(NULL);
    extfn_value args[] = {extfn_value_number(2), extfn_value_number(3)};
    extfn_value value = {0};
    assert_int_equal(extfn_registry_eval(registry, host, "f", args, 2, NULL, &value, NULL),
                     EXTFN_OK);
    assert_true(value.type == EXTFN_NUMBER && value.as.number == 5.0);
    extfn_host_free(host);
    extfn_function_unref(add);
    extfn_registry_free(registry);
}

static void seed_python_text_function(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_host(NULL);
    extfn_function *shout = test_function(EXTFN_PYTHON, "T->T", "result = args[0].upper() + '!'");
    extfn_value hi = test_text("hi");
    test_result result = test_call(host, shout, &hi, 1, 2);
    ASSERT_TEXT(result, "HI!");
    test_result_clear(&result);
    extfn_value_clear(&hi);
    extfn_function_unref(shout);
    extfn_host_free(host);
}

static void seed_python_raises_is_runtime_error(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    test_result result = test_run(NULL, EXTFN_PYTHON, "->N", "raise ValueError('nope')", 2);
    ASSERT_FAILS(result, EXTFN_ERUNTIME, "ValueError: nope (line 1)");
    test_result_clear(&result);
}

static void seed_python_return_type_mismatch(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    test_result result = test_run(NULL, EXTFN_PYTHON, "->N", "result = 'not a number'", 2);
    ASSERT_FAILS(result, EXTFN_ERUNTIME,
                 "return type mismatch: expected Number, got Text 'not a number'");
    test_result_clear(&result);
}

static void seed_python_infinite_loop_times_out(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    struct timespec begun;
    struct timespec ended;
    (void)clock_gettime(CLOCK_MONOTONIC, &begun);
    test_result result = test_run(NULL, EXTFN_PYTHON, "->N", "while True:\n    pass", 2);
    (void)clock_gettime(CLOCK_MONOTONIC, &ended);
    ASSERT_FAILS(result, EXTFN_ETIMEOUT, "function timed out after 2s");
    /* Killed near the deadline, not hung forever. */
    assert_true(ended.tv_sec - begun.tv_sec < 8);
    test_result_clear(&result);
}

static void seed_r_hypot(void **state)
{
    (void)state;
    REQUIRE_R();
    extfn_host *host = test_host(NULL);
    extfn_function *hypot =
        test_function(EXTFN_R, "NN->N", "result <- sqrt(args[[1]]^2 + args[[2]]^2)");
    extfn_value args[] = {extfn_value_number(3), extfn_value_number(4)};
    test_result result = test_call(host, hypot, args, 2, 10);
    ASSERT_NUMBER(result, 5.0);
    test_result_clear(&result);
    extfn_function_unref(hypot);
    extfn_host_free(host);
}

static void seed_restricted_python_hits_memory_limit(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    test_result result =
        test_run(NULL, EXTFN_PYTHON, "->N", "x = bytearray(2 * 10**9)\nresult = len(x)", 10);
    ASSERT_FAILS(result, EXTFN_ERUNTIME, "memory limit of 1 GiB reached");
    test_result_clear(&result);
}

static void seed_trusted_python_memory_allocation_succeeds(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    const extfn_host_options trusted = {.policy = EXTFN_TRUSTED};
    test_result result =
        test_run(&trusted, EXTFN_PYTHON, "->N!", "x = bytearray(10**7)\nresult = len(x)", 10);
    ASSERT_NUMBER(result, 10000000.0);
    test_result_clear(&result);
}

/* A fresh directory with one file of the host's; returns the file's path. */
static void make_secret(char *directory, size_t size, char *path)
{
    assert_non_null(temporary_folder(directory, size, "/tmp"));
    assert_int_equal(chmod(directory, 0755), 0);
    (void)snprintf(path, size, "%s/secret.txt", directory);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "host-only-secret", 16), 16);
    (void)close(fd);
}

static void seed_bwrap_blocks_filesystem_read_outside_sandbox(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    char directory[64];
    char path[64];
    make_secret(directory, sizeof(directory), path);
    char body[128];
    (void)snprintf(body, sizeof(body), "result = open(r'%s').read()", path);
    test_result restricted = test_run(NULL, EXTFN_PYTHON, "->T", body, 10);
    assert_int_equal(restricted.status, EXTFN_ERUNTIME);
    assert_non_null(strstr(restricted.err.message, "FileNotFoundError"));
    test_result_clear(&restricted);
    const extfn_host_options options = {.policy = EXTFN_TRUSTED};
    test_result trusted = test_run(&options, EXTFN_PYTHON, "->T!", body, 10);
    ASSERT_TEXT(trusted, "host-only-secret");
    test_result_clear(&trusted);
    (void)unlink(path);
    (void)rmdir(directory);
}

static void seed_rlimits_only_fallback_still_runs(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    (void)setenv("IMPROV_API_TOKEN", "parent-secret", 1);
    const extfn_host_options options = {.search_path = "/nonexistent",
                                        .is_unsandboxed_allowed = true};
    test_result result = test_run(&options, EXTFN_PYTHON, "->T",
                                  "import os\nresult = ' '.join([os.environ.get('IMPROV_API_TOKEN',"
                                  " '-'), os.environ['HOME'], os.environ['PATH']])",
                                  10);
    ASSERT_TEXT(result, "- /tmp /usr/bin:/bin");
    assert_true(result.output.is_unsandboxed);
    test_result_clear(&result);
}

static void seed_restricted_python_does_not_inherit_env(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    (void)setenv("IMPROV_API_TOKEN", "parent-secret", 1);
    test_result result = test_run(NULL, EXTFN_PYTHON, "->T",
                                  "import os\nresult = os.environ.get('IMPROV_API_TOKEN', '')", 10);
    ASSERT_TEXT(result, "");
    assert_false(result.output.is_unsandboxed);
    test_result_clear(&result);
}

static void seed_bwrap_hides_host_home(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    char home[64];
    char path[64];
    make_secret(home, sizeof(home), path);
    const char *former = getenv("HOME");
    char *kept = former ? strdup(former) : NULL;
    (void)setenv("HOME", home, 1);
    test_result result =
        test_run(NULL, EXTFN_PYTHON, "->T",
                 "import os\nh = os.path.expanduser('~')\n"
                 "result = repr([h, sorted(os.listdir(h)), sorted(os.listdir('/home'))])",
                 10);
    if (kept)
        (void)setenv("HOME", kept, 1);
    free(kept);
    (void)unlink(path);
    (void)rmdir(home);
    ASSERT_TEXT(result, "['/tmp', [], []]");
    test_result_clear(&result);
}

static void seed_bwrap_blocks_network(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    test_result result = test_run(NULL, EXTFN_PYTHON, "->T",
                                  "import socket\ns = socket.socket()\ns.settimeout(2)\n"
                                  "try:\n    s.connect(('1.1.1.1', 53))\n    result = 'connected'\n"
                                  "except OSError:\n    result = 'blocked'",
                                  10);
    ASSERT_TEXT(result, "blocked");
    test_result_clear(&result);
}

static void seed_python_large_output_succeeds(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    test_result result = test_run(NULL, EXTFN_PYTHON, "->N", "print('x' * 200000)\nresult = 1", 10);
    ASSERT_NUMBER(result, 1.0);
    assert_int_equal(result.output.stdout_size, 200001);
    test_result_clear(&result);
}

static void seed_python_huge_output_is_rejected(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    test_result result =
        test_run(NULL, EXTFN_PYTHON, "->N", "print('x' * 5000000)\nresult = 1", 10);
    ASSERT_FAILS(result, EXTFN_ERUNTIME, "output too large");
    test_result_clear(&result);
}

/* The grandchild's pid, as it wrote it. */
static int read_pid(const char *path)
{
    char text[32] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_true(read(fd, text, sizeof(text) - 1) > 0);
    (void)close(fd);
    return (int)strtol(text, NULL, 10);
}

static void seed_timeout_kills_grandchildren(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    char directory[64];
    char secret[64];
    make_secret(directory, sizeof(directory), secret);
    char marker[80];
    (void)snprintf(marker, sizeof(marker), "%s/marker", directory);
    char body[512];
    (void)snprintf(body, sizeof(body),
                   "import os, time\n"
                   "if os.fork() == 0:\n"
                   "    open('%s', 'w').write(str(os.getpid()))\n"
                   "    time.sleep(30)\n"
                   "    os._exit(0)\n"
                   "time.sleep(30)\nresult = 1",
                   marker);
    const extfn_host_options options = {.policy = EXTFN_TRUSTED};
    test_result result = test_run(&options, EXTFN_PYTHON, "->N!", body, 1);
    ASSERT_FAILS(result, EXTFN_ETIMEOUT, "function timed out after 1s");
    test_result_clear(&result);
    /* The call returned: nothing of the worker may be left, at once. */
    assert_int_equal(kill(read_pid(marker), 0), -1);
    assert_int_equal(errno, ESRCH);
    (void)unlink(marker);
    (void)unlink(secret);
    (void)rmdir(directory);
}

static void seed_python_body_with_backslashes_and_triple_quotes(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    test_result result = test_run(NULL, EXTFN_PYTHON, "->T",
                                  "s = \"\"\"a\\\\b\"\"\"\n"
                                  "t = '\\n' + \"\\\"\"\n"
                                  "result = s + \"|\" + str(len(t)) + \"|\" + \"\\x41\"",
                                  10);
    ASSERT_TEXT(result, "a\\b|2|A");
    test_result_clear(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_registry_roundtrip),
        cmocka_unit_test(seed_not_found),
        cmocka_unit_test(seed_arity_mismatch_without_python),
        cmocka_unit_test(seed_type_mismatch_without_python),
        cmocka_unit_test(seed_python_add_numbers),
        cmocka_unit_test(seed_python_text_function),
        cmocka_unit_test(seed_python_raises_is_runtime_error),
        cmocka_unit_test(seed_python_return_type_mismatch),
        cmocka_unit_test(seed_python_infinite_loop_times_out),
        cmocka_unit_test(seed_r_hypot),
        cmocka_unit_test(seed_restricted_python_hits_memory_limit),
        cmocka_unit_test(seed_trusted_python_memory_allocation_succeeds),
        cmocka_unit_test(seed_bwrap_blocks_filesystem_read_outside_sandbox),
        cmocka_unit_test(seed_rlimits_only_fallback_still_runs),
        cmocka_unit_test(seed_restricted_python_does_not_inherit_env),
        cmocka_unit_test(seed_bwrap_hides_host_home),
        cmocka_unit_test(seed_bwrap_blocks_network),
        cmocka_unit_test(seed_python_large_output_succeeds),
        cmocka_unit_test(seed_python_huge_output_is_rejected),
        cmocka_unit_test(seed_timeout_kills_grandchildren),
        cmocka_unit_test(seed_python_body_with_backslashes_and_triple_quotes),
    };
    return cmocka_run_group_tests_name("seed", tests, NULL, NULL);
}
