#include "wasm/signature.h"

#include "support/unit.h"

#include <string.h>

static void every_type_has_its_form(void **state)
{
    (void)state;
    const xf_wasm_signature signature = {
        .args = {EXTFN_NUMBER, EXTFN_BOOLEAN, EXTFN_TEXT, EXTFN_DATETIME, EXTFN_ENUM},
        .arg_count = 5,
        .ret = EXTFN_TEXT,
    };
    const xf_wasm_type type = xf_wasm_signature_type(&signature);
    char text[XF_WASM_TYPE_TEXT_SIZE];
    assert_string_equal(xf_wasm_type_text(&type, text), "(f64, i32, i32, i32, i64, i32) -> i64");
}

static void results_have_their_form(void **state)
{
    (void)state;
    static const struct {
        extfn_type type;
        const char *text;
    } rows[] = {{EXTFN_NUMBER, "() -> f64"},
                {EXTFN_BOOLEAN, "() -> i32"},
                {EXTFN_TEXT, "() -> i64"},
                {EXTFN_DATETIME, "() -> i64"},
                {EXTFN_ENUM, "() -> i32"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const xf_wasm_type type = xf_wasm_signature_type(&(xf_wasm_signature){.ret = rows[i].type});
        char text[XF_WASM_TYPE_TEXT_SIZE];
        assert_string_equal(xf_wasm_type_text(&type, text), rows[i].text);
    }
}

static void text_is_found_anywhere(void **state)
{
    (void)state;
    xf_wasm_signature signature = {.args = {EXTFN_NUMBER, EXTFN_ENUM},
                                   .arg_count = 2,
                                   .ret = EXTFN_NUMBER};
    assert_false(xf_wasm_signature_has_text(&signature));
    signature.args[1] = EXTFN_TEXT;
    assert_true(xf_wasm_signature_has_text(&signature));
    signature.arg_count = 1;
    assert_false(xf_wasm_signature_has_text(&signature));
    signature.ret = EXTFN_TEXT;
    assert_true(xf_wasm_signature_has_text(&signature));
}

static void the_longest_signature_fits(void **state)
{
    (void)state;
    xf_wasm_signature signature = {.arg_count = EXTFN_ARGUMENT_LIMIT, .ret = EXTFN_TEXT};
    for (size_t i = 0; i < EXTFN_ARGUMENT_LIMIT; i++)
        signature.args[i] = EXTFN_TEXT;
    const xf_wasm_type type = xf_wasm_signature_type(&signature);
    assert_int_equal(type.param_count, XF_WASM_PARAM_LIMIT);
    char text[XF_WASM_TYPE_TEXT_SIZE];
    (void)xf_wasm_type_text(&type, text);
    assert_true(strlen(text) < XF_WASM_TYPE_TEXT_SIZE);
    assert_string_equal(text + strlen(text) - 3, "...");
}

static void several_results_and_unknown_types_are_shown(void **state)
{
    (void)state;
    const xf_wasm_type type = {.params = {0x7b, 0x6f, 0x01},
                               .param_count = 3,
                               .results = {XF_WASM_F64, XF_WASM_F32},
                               .result_count = 2};
    char text[XF_WASM_TYPE_TEXT_SIZE];
    assert_string_equal(xf_wasm_type_text(&type, text), "(v128, externref, ref) -> (f64, f32)");
    const xf_wasm_type many = {.result_count = 1000};
    assert_string_equal(xf_wasm_type_text(&many, text), "() -> (ref, ref, ref, ref, ...)");
    assert_string_equal(xf_wasm_type_text(&(xf_wasm_type){0}, text), "() -> ()");
}

static void types_differ_by_what_is_kept_and_by_counts(void **state)
{
    (void)state;
    const xf_wasm_type a = {.params = {XF_WASM_F64}, .param_count = 1};
    xf_wasm_type b = a;
    assert_true(xf_wasm_type_is_equal(&a, &b));
    b.params[0] = XF_WASM_I32;
    assert_false(xf_wasm_type_is_equal(&a, &b));
    b = a;
    b.param_count = 2;
    assert_false(xf_wasm_type_is_equal(&a, &b));
    b = a;
    b.result_count = 1;
    assert_false(xf_wasm_type_is_equal(&a, &b));
    const xf_wasm_type huge = {.param_count = SIZE_MAX, .result_count = SIZE_MAX};
    assert_true(xf_wasm_type_is_equal(&huge, &huge));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_has_its_form),
        cmocka_unit_test(results_have_their_form),
        cmocka_unit_test(text_is_found_anywhere),
        cmocka_unit_test(the_longest_signature_fits),
        cmocka_unit_test(several_results_and_unknown_types_are_shown),
        cmocka_unit_test(types_differ_by_what_is_kept_and_by_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
