#include "registry/module_file.h"

#include "base/auto.h"
#include "registry/function.h"
#include "support/module.h"
#include "support/oom.h"

#define CALL_EXPORT "07 0f 01 0b696d70726f765f63616c6c 00 00 "
#define NUMERIC                                                                                    \
    MODULE_HEADER "01 07 01 60 02 7c7c 01 7c  03 02 01 00 " CALL_EXPORT "0a 06 01 04 00 2000 0b"
#define TYPED                                                                                      \
    MODULE_HEADER "01 07 01 60 02 7f7f 01 7e  03 02 01 00 " CALL_EXPORT "0a 06 01 04 00 4200 0b "
/* Its custom section `extfn`: `label(item: text) -> text`, a line end. */
#define DECLARED                                                                                   \
    TYPED "00 07 056f74686572 78  00 20 05657874666e "                                             \
          "6c6162656c286974656d3a207465787429202d3e20746578740a"

static extfn_function *parse(const char *path, const char *hex)
{
    XF_AUTO(xf_buf_clear) xf_buf module = module_from_hex(hex);
    extfn_function *function = NULL;
    extfn_error err = {0};
    if (xf_module_file_parse(path, module.data, module.size, &function, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    return function;
}

static void a_numeric_module_declares_itself(void **state)
{
    (void)state;
    static const char *const paths[] = {"hypot.wasm", "lib/hypot.wasm", "/a.b/hypot.wasm"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        extfn_function *function = parse(paths[i], NUMERIC);
        char *signature = NULL;
        assert_string_equal(extfn_function_name(function), "hypot");
        assert_int_equal(extfn_function_language(function), EXTFN_WASM);
        assert_int_equal(extfn_function_arity(function), 2);
        assert_int_equal(extfn_function_arg_type(function, 1), EXTFN_NUMBER);
        assert_null(extfn_function_arg_name(function, 0));
        assert_int_equal(extfn_function_return_type(function), EXTFN_NUMBER);
        assert_true(extfn_function_is_pure(function));
        assert_string_equal(extfn_function_source_path(function), paths[i]);
        assert_int_equal(extfn_function_signature(function, &signature, NULL), EXTFN_OK);
        extfn_text_free(signature);
        extfn_function_unref(function);
    }
}

static void a_custom_section_declares_the_rest(void **state)
{
    (void)state;
    extfn_function *function = parse("m.wasm", DECLARED);
    assert_string_equal(extfn_function_name(function), "label");
    assert_int_equal(extfn_function_arity(function), 1);
    assert_int_equal(extfn_function_arg_type(function, 0), EXTFN_TEXT);
    assert_string_equal(extfn_function_arg_name(function, 0), "item");
    assert_int_equal(extfn_function_return_type(function), EXTFN_TEXT);
    extfn_function_unref(function);
}

static void the_descriptor_travels_as_json(void **state)
{
    (void)state;
    extfn_function *function = parse("m.wasm", DECLARED);
    extfn_function *copy = NULL;
    char *json = NULL;
    assert_int_equal(extfn_function_to_json(function, &json, NULL), EXTFN_OK);
    assert_non_null(strstr(json, "\"body\":\"base64:AGFzbQEAAAAB"));
    assert_int_equal(extfn_function_from_json(json, strlen(json), &copy, NULL), EXTFN_OK);
    assert_true(xf_function_is_equal(function, copy));
    extfn_text_free(json);
    extfn_function_unref(function);
    extfn_function_unref(copy);
}

static void problems_are_told_without_the_path(void **state)
{
    (void)state;
    static const struct {
        const char *hex, *message;
    } rows[] = {
        {"", "this is no WebAssembly module (version 1)"},
        {MODULE_HEADER "01", "the WebAssembly module is broken at byte 9"},
        {MODULE_HEADER "01 04 01 60 00 00  02 0b 01 03656e76 036e6f77 00 00",
         "the module imports 'now' of 'env'; no imports are given"},
        {MODULE_HEADER, "the module exports no function 'improv_call'"},
        {MODULE_HEADER "05 03 01 00 01  07 0f 01 0b696d70726f765f63616c6c 02 00",
         "the module exports no function 'improv_call'"},
        {TYPED, "'improv_call' is (i32, i32) -> i64; unless it takes f64 only and gives one, a "
                "custom section 'extfn' has to declare it: NAME(ARGUMENT: TYPE, ...) -> TYPE"},
        {MODULE_HEADER "01 06 01 60 00 02 7c7c  03 02 01 00 " CALL_EXPORT
                       "0a 16 01 14 00 44 0000000000000000 44 0000000000000000 0b",
         "'improv_call' is () -> (f64, f64); unless it takes f64 only and gives one, a custom "
         "section 'extfn' has to declare it: NAME(ARGUMENT: TYPE, ...) -> TYPE"},
        {TYPED "00 1e 05657874666e 6c6162656c286974656d207465787429202d3e2074657874",
         "custom section 'extfn': expected ':' and a type before 'text) -> text'"},
        {TYPED "00 07 05657874666e ff",
         "custom section 'extfn': the declaration is not plain text"},
        {TYPED "00 06 05657874666e", "custom section 'extfn': the declaration ends where the name "
                                     "of the function should stand"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        XF_AUTO(xf_buf_clear) xf_buf module = module_from_hex(rows[i].hex);
        extfn_function *function = NULL;
        extfn_error err = {0};
        assert_int_equal(xf_module_file_parse("m.wasm", module.data, module.size, &function, &err),
                         EXTFN_EINVAL);
        assert_string_equal(err.message, rows[i].message);
    }
}

static void reading_survives_oom(void **state)
{
    (void)state;
    static const char *const texts[] = {NUMERIC, DECLARED};
    for (size_t i = 0; i < 2; i++) {
        XF_AUTO(xf_buf_clear) xf_buf module = module_from_hex(texts[i]);
        extfn_status status = EXTFN_OK;
        XF_OOM_SWEEP(status, {
            extfn_function *function = NULL;
            status = xf_module_file_parse("m.wasm", module.data, module.size, &function, NULL);
            extfn_function_unref(function);
        });
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_numeric_module_declares_itself),
        cmocka_unit_test(a_custom_section_declares_the_rest),
        cmocka_unit_test(the_descriptor_travels_as_json),
        cmocka_unit_test(problems_are_told_without_the_path),
        cmocka_unit_test(reading_survives_oom),
    };
    return cmocka_run_group_tests_name("module_file", tests, NULL, NULL);
}
