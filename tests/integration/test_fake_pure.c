/* From the host down to a driver of Pure and back, with a stand-in that is no Pure:
 * tests/support/fake-pure.c. SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/prefix.h"

#include <stdlib.h>

static test_prefix prefix;
static const extfn_host_options fake = {.interpreters = {[EXTFN_PURE] = prefix.interpreter}};

static int make_prefix(void **state)
{
    (void)state;
    test_prefix_make(&prefix, EXTFN_TEST_FAKE_PURE);
    return 0;
}

static int remove_prefix(void **state)
{
    (void)state;
    return test_prefix_remove(&prefix);
}

static test_result run(const char *signature, const char *body, double timeout_s)
{
    return test_run(&fake, EXTFN_PURE, signature, body, timeout_s);
}

static void a_body_runs_confined(void **state)
{
    (void)state;
    REQUIRE_BWRAP();
    test_result sum = run("->N", "let y = 19.0;\nlet result = y+23;", 10);
    ASSERT_NUMBER(sum, 42.0);
    test_result_clear(&sum);
    test_result text = run("->T", "print \"out\"; let result = \"a\"+\"b\";", 10);
    ASSERT_TEXT(text, "ab");
    assert_int_equal(text.output.stdout_size, 4);
    assert_memory_equal(text.output.stdout_data, "out\n", 4);
    test_result_clear(&text);
}

static void a_body_runs_trusted(void **state)
{
    (void)state;
    extfn_host_options options = fake;
    options.policy = EXTFN_TRUSTED;
    test_result two = test_run(&options, EXTFN_PURE, "->N", "let result = 1+1;", 10);
    ASSERT_NUMBER(two, 2.0);
    test_result_clear(&two);
}

static void failures_are_told_in_the_contracts_words(void **state)
{
    (void)state;
    REQUIRE_BWRAP();
    static const struct {
        const char *body;
        extfn_status status;
        const char *message;
    } cases[] = {
        {"", EXTFN_ERUNTIME, "function body did not set `result`"},
        {"\nthrow bad;", EXTFN_ERUNTIME, "unhandled exception 'bad' (line 2)"},
        {"let result = = 1;", EXTFN_ERUNTIME, "syntax error, unexpected '=' (line 1)"},
        {"let result = foo 1;", EXTFN_ERUNTIME,
         "return type mismatch: expected Number, got term 'foo 1'"},
        {"let y = exit 3;", EXTFN_ERUNTIME, "function ended its process with exit status 3"},
        {"let y = loop;", EXTFN_ETIMEOUT, "function timed out after 500ms"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        test_result result = run("->N", cases[i].body, 0.5);
        ASSERT_FAILS(result, cases[i].status, cases[i].message);
        test_result_clear(&result);
    }
    test_result death = run("->N", "let y = crash;", 10);
    assert_int_equal(death.status, EXTFN_ERUNTIME);
    assert_non_null(strstr(death.err.message, "function died: signal 6 (SIGABRT)"));
    test_result_clear(&death);
}

static void text_with_a_nul_never_reaches_it(void **state)
{
    (void)state;
    REQUIRE_BWRAP();
    extfn_host *host = test_host(&fake);
    extfn_function *function = test_function(EXTFN_PURE, "T->T", "let result = args!0;");
    extfn_value value = {0};
    assert_int_equal(extfn_value_text("a\0b", 3, &value, NULL), EXTFN_OK);
    test_result result = test_call(host, function, &value, 1, 10);
    ASSERT_FAILS(result, EXTFN_ERUNTIME, "argument 0: Pure text cannot hold U+0000");
    test_result_clear(&result);
    extfn_value_clear(&value);
    extfn_function_unref(function);
    extfn_host_free(host);
}

/* One worker serves all calls of a pure function, however many there are. */
static void a_warm_worker_goes_on(void **state)
{
    (void)state;
    REQUIRE_BWRAP();
    extfn_host *host = test_host(&fake);
    extfn_function *function = test_function(EXTFN_PURE, "N(x)->N", "let result = x+1;");
    for (int i = 0; i < 50; i++) {
        const extfn_value value = extfn_value_number(i);
        test_result result = test_call(host, function, &value, 1, 10);
        ASSERT_NUMBER(result, i + 1);
        test_result_clear(&result);
    }
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(host, &stats);
    assert_int_equal(stats.workers_started, 1);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void the_environment_names_the_interpreter(void **state)
{
    (void)state;
    REQUIRE_BWRAP();
    assert_int_equal(setenv("EXTFN_INTERPRETER_PURE", prefix.interpreter, 1), 0);
    extfn_host_options options;
    extfn_host_options_from_environment(&options);
    assert_string_equal(options.interpreters[EXTFN_PURE], prefix.interpreter);
    test_result two = test_run(&options, EXTFN_PURE, "->N", "let result = 1+1;", 10);
    assert_int_equal(unsetenv("EXTFN_INTERPRETER_PURE"), 0);
    ASSERT_NUMBER(two, 2.0);
    test_result_clear(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_runs_confined),
        cmocka_unit_test(a_body_runs_trusted),
        cmocka_unit_test(failures_are_told_in_the_contracts_words),
        cmocka_unit_test(text_with_a_nul_never_reaches_it),
        cmocka_unit_test(a_warm_worker_goes_on),
        cmocka_unit_test(the_environment_names_the_interpreter),
    };
    return cmocka_run_group_tests_name("fake_pure", tests, make_prefix, remove_prefix);
}
