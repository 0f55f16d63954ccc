/* The predecessor's own tests of the languages that a machine may lack, through the C API: `seed_`
 * and the name that it has there. SPDX-License-Identifier: MIT */
#include "support/host.h"

static void seed_julia_sum(void **state)
{
    (void)state;
    REQUIRE_JULIA();
    extfn_host *host = test_host(NULL);
    extfn_function *function =
        test_function(EXTFN_JULIA, "NN->N", "    result = args[1] + args[2]");
    const extfn_value args[] = {extfn_value_number(2), extfn_value_number(40)};
    test_result sum = test_call(host, function, args, 2, 30);
    ASSERT_NUMBER(sum, 42.0);
    test_result_clear(&sum);
    extfn_function_unref(function);
    extfn_host_free(host);
}

/* No system has a package of Pure: the environment names one, or this is skipped. */
static void seed_pure_sum(void **state)
{
    (void)state;
    REQUIRE_PURE();
    const extfn_host_options options = {
        .interpreters = {[EXTFN_PURE] = getenv("EXTFN_INTERPRETER_PURE")}};
    extfn_host *host = test_host(&options);
    extfn_function *function = test_function(EXTFN_PURE, "NN->N", "let result = args!0 + args!1;");
    const extfn_value args[] = {extfn_value_number(19), extfn_value_number(23)};
    test_result sum = test_call(host, function, args, 2, 10);
    ASSERT_NUMBER(sum, 42.0);
    test_result_clear(&sum);
    extfn_function_unref(function);
    extfn_host_free(host);
}

/* Done or refused, but never anything else. */
static void seed_absent_interpreter_is_error_not_panic(void **state)
{
    (void)state;
    static const struct {
        extfn_language language;
        const char *body;
    } probes[] = {
        {EXTFN_R, "result <- 1"},
        {EXTFN_JULIA, "    result = 1"},
        {EXTFN_PURE, "let result = 1;"},
    };
    for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++) {
        test_result result = test_run(NULL, probes[i].language, "->N", probes[i].body, 10);
        if (result.status == EXTFN_OK)
            ASSERT_NUMBER(result, 1.0);
        else
            assert_true(result.status == EXTFN_EUNAVAILABLE || result.status == EXTFN_ESANDBOX);
        test_result_clear(&result);
        const extfn_host_options absent = {.interpreters = {[EXTFN_R] = "/no/such/program",
                                                            "/no/such/program",
                                                            "/no/such/program"}};
        result = test_run(&absent, probes[i].language, "->N", probes[i].body, 10);
        assert_int_equal(result.status, EXTFN_EUNAVAILABLE);
        test_result_clear(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_julia_sum),
        cmocka_unit_test(seed_pure_sum),
        cmocka_unit_test(seed_absent_interpreter_is_error_not_panic),
    };
    return cmocka_run_group_tests_name("seed_languages", tests, NULL, NULL);
}
