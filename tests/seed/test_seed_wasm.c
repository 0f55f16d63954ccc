/* The predecessor's own tests of WebAssembly, through the C API: `seed_` and the name that it has
 * there. SPDX-License-Identifier: MIT */
#include "support/host.h"

static test_result run_wasm(const char *signature, const char *body, const extfn_value *args,
                            size_t count)
{
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(EXTFN_WASM, signature, body);
    test_result result = test_call(host, function, args, count, 5);
    extfn_function_unref(function);
    extfn_host_free(host);
    return result;
}

static void seed_wasm_doubles_input(void **state)
{
    (void)state;
    REQUIRE_WASM();
    const extfn_value arg = extfn_value_number(21);
    test_result result = run_wasm("N->N",
                                  "wat:(module (func (export \"improv_call\") (param f64) (result "
                                  "f64) local.get 0 local.get 0 f64.add))",
                                  &arg, 1);
    ASSERT_NUMBER(result, 42.0);
}

static void seed_wasm_two_args(void **state)
{
    (void)state;
    REQUIRE_WASM();
    const extfn_value args[] = {extfn_value_number(3), extfn_value_number(4)};
    test_result result = run_wasm(
        "NN->N",
        "wat:(module (func (export \"improv_call\") (param f64 f64) (result f64) local.get 0 "
        "local.get 0 f64.mul local.get 1 local.get 1 f64.mul f64.add))",
        args, 2);
    ASSERT_NUMBER(result, 25.0);
}

static void seed_wasm_missing_export_is_runtime_error(void **state)
{
    (void)state;
    REQUIRE_WASM();
    test_result result = run_wasm("->N", "wat:(module)", NULL, 0);
    ASSERT_FAILS(result, EXTFN_ERUNTIME, "module does not export improv_call; expected () -> f64");
}

/* The predecessor had f64 alone; here Text is refused because the module has nothing for it. */
static void seed_wasm_rejects_non_numeric_abi(void **state)
{
    (void)state;
    REQUIRE_WASM();
    extfn_value arg = test_text("x");
    test_result result = run_wasm("T->T", "wat:(module)", &arg, 1);
    ASSERT_FAILS(result, EXTFN_ERUNTIME,
                 "module does not export improv_call; expected (i32, i32) -> i64");
    extfn_value_clear(&arg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_wasm_doubles_input),
        cmocka_unit_test(seed_wasm_two_args),
        cmocka_unit_test(seed_wasm_missing_export_is_runtime_error),
        cmocka_unit_test(seed_wasm_rejects_non_numeric_abi),
    };
    return cmocka_run_group_tests_name("seed_wasm", tests, NULL, NULL);
}
