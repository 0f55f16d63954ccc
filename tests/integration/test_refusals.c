/* What is refused, and what is told where something is missing. SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/process.h"
#include "support/tree.h"

static void checks_before_the_language_start_no_process(void **state)
{
    (void)state;
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(EXTFN_PYTHON, "N->N", "result = args[0]");
    extfn_value text = test_text("x");
    extfn_value failure = {0};
    assert_int_equal(extfn_value_error(EXTFN_KIND_CUSTOM, "broken", &failure, NULL), EXTFN_OK);
    test_result none = test_call(host, function, NULL, 0, 5);
    ASSERT_FAILS(none, EXTFN_EARITY, "function f: expected 1 argument(s), got 0");
    test_result typed = test_call(host, function, &text, 1, 5);
    ASSERT_FAILS(typed, EXTFN_ETYPE,
                 "function f: argument 0 type mismatch, expected Number, got Text");
    test_result broken = test_call(host, function, &failure, 1, 5);
    ASSERT_FAILS(broken, EXTFN_ETYPE,
                 "function f: argument 0 type mismatch, expected Number, got Error");
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(host, &stats);
    assert_int_equal(stats.workers_started, 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    extfn_value_clear(&text);
    extfn_value_clear(&failure);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void without_bubblewrap_evaluation_is_refused(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    const extfn_host_options options = {.search_path = "/nonexistent:/also/not"};
    test_result result = test_run(&options, EXTFN_PYTHON, "->N", "result = 1", 5);
    ASSERT_FAILS(result, EXTFN_ESANDBOX,
                 "sandbox unavailable: bubblewrap (bwrap) was not found; install the package "
                 "bubblewrap");
    extfn_host *host = test_host(&options);
    extfn_error err = {0};
    assert_int_equal(extfn_host_probe_sandbox(host, NULL, &err), EXTFN_ESANDBOX);
    assert_string_equal(err.message, result.err.message);
    extfn_host_free(host);
}

/* A program that calls itself bwrap and says that a sealed worker is ready, but never starts one.
 */
static void a_forged_sandbox_is_none(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    xf_test_tree tree = xf_test_tree_new();
    xf_test_file(&tree, "/bwrap", 0755,
                 "#!/bin/sh\nprintf 'exfn\\001\\000\\020\\000\\001\\000\\000\\000\\000\\000\\000"
                 "\\000\\001\\000\\000\\000\\001\\000\\000\\000' >&4\necho forged >&2\n");
    assert_int_equal(chmod(tree.root, 0755), 0); /* a root host drops its uid */
    const extfn_host_options options = {.search_path = tree.root};
    test_result result = test_run(&options, EXTFN_PYTHON, "->N", "result = 1", 5);
    assert_int_equal(result.status, EXTFN_ESANDBOX);
    test_result_clear(&result);
    xf_test_tree_free(&tree);
}

/* Its silence is not taken for an interpreter that starts slowly. */
static void a_sandbox_that_is_never_ready_is_none(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    xf_test_tree tree = xf_test_tree_new();
    xf_test_file(&tree, "/bwrap", 0755, "#!/bin/sh\nexec sleep 1000\n");
    assert_int_equal(chmod(tree.root, 0755), 0);
    const extfn_host_options options = {.search_path = tree.root, .start_timeout_us = 300000};
    test_result result = test_run(&options, EXTFN_PYTHON, "->N", "result = 1", 5);
    ASSERT_FAILS(result, EXTFN_ESANDBOX,
                 "sandbox unavailable: what is called bwrap here is not bubblewrap (it was not "
                 "ready within 300ms); use the bubblewrap of the system's package, without a "
                 "wrapper around it");
    xf_test_tree_free(&tree);
}

static void a_missing_interpreter_is_unavailable(void **state)
{
    (void)state;
    const extfn_host_options options = {.interpreters = {[EXTFN_R] = "/nonexistent/R"}};
    test_result result = test_run(&options, EXTFN_R, "->N", "result <- 1", 5);
    assert_int_equal(result.status, EXTFN_EUNAVAILABLE);
    assert_non_null(strstr(result.err.message, "language runtime unavailable: R (R): "));
}

static void the_sandbox_and_the_languages_can_be_probed(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    REQUIRE_R();
    extfn_host *host = test_host(NULL);
    extfn_error err = {0};
    if (extfn_host_probe_sandbox(host, NULL, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    uint32_t layers = UINT32_MAX;
    assert_int_equal(extfn_host_probe_layers(host, NULL, &layers, &err), EXTFN_OK);
    assert_int_equal(layers & ~(uint32_t)(EXTFN_LAYER_FILES | EXTFN_LAYER_NETWORK |
                                          EXTFN_LAYER_SCOPES | EXTFN_LAYER_GROUP |
                                          EXTFN_LAYER_GROUP_MEMORY | EXTFN_LAYER_GROUP_TASKS),
                     0);
    static const char *const versions[] = {"Python 3", "R version", "julia version"};
    REQUIRE_JULIA();
    for (int language = EXTFN_PYTHON; language <= EXTFN_JULIA; language++) {
        char *path = NULL;
        char *version = NULL;
        if (extfn_host_probe_language(host, (extfn_language)language, &path, &version, &err) !=
            EXTFN_OK)
            fail_msg("%s", err.message);
        assert_int_equal(path[0], '/');
        assert_non_null(strstr(version, versions[language]));
        extfn_text_free(path);
        extfn_text_free(version);
    }
    extfn_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_before_the_language_start_no_process),
        cmocka_unit_test(without_bubblewrap_evaluation_is_refused),
        cmocka_unit_test(a_forged_sandbox_is_none),
        cmocka_unit_test(a_sandbox_that_is_never_ready_is_none),
        cmocka_unit_test(a_missing_interpreter_is_unavailable),
        cmocka_unit_test(the_sandbox_and_the_languages_can_be_probed),
    };
    return cmocka_run_group_tests_name("refusals", tests, NULL, NULL);
}
