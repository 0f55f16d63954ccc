/* Modules loaded and evaluated without a host object. SPDX-License-Identifier: MIT */
#include "wasm/rows.h"

#include "base/auto.h"
#include "support/oom.h"
#include "support/unit.h"
#include "support/wasm.h"

#include <string.h>

static const xf_wasm_limits patient = {.row_us = 5000000, .until_us = -1, .cancel_fd = -1};

static xf_wasm_engine *make_engine(void)
{
    const xf_wasm_engine_options options = {.memory_bytes = 64 << 20};
    xf_wasm_engine *engine = NULL;
    extfn_error err = {0};
    if (xf_wasm_engine_new(&options, &engine, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    return engine;
}

static extfn_status load(xf_wasm_engine *engine, const char *body,
                         const xf_wasm_signature *signature, xf_wasm_module **ret_module,
                         extfn_error *err)
{
    const xf_wasm_source source = {.body = body, .body_size = strlen(body)};
    return xf_wasm_module_load(engine, &source, signature, &patient, ret_module, err);
}

static void what_is_wrong_with_a_module_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        const char *message;
    } cases[] = {
        {"wat:(module", "module text is not valid: expected `)` (line 1)"},
        {"wat:(module\n (func\n  (nope)))", "module text is not valid: unknown operator or "
                                            "unexpected token (line 3)"},
        {"wat:(module (import \"env\" \"now\" (func)))",
         "module imports env.now; no imports are given"},
        {"wat:(module)", "module does not export improv_call; expected (f64) -> f64"},
        {"wat:(module (global (export \"improv_call\") i32 (i32.const 0)))",
         "module exports improv_call, but not as a function; expected (f64) -> f64"},
        {"wat:(module (func (export \"improv_call\") (param f32) (result f64 f64) unreachable))",
         "module exports improv_call of the wrong type: expected (f64) -> f64, got (f32) -> (f64, "
         "f64)"},
        {"wat:(module (table 200000 funcref) (func (export \"improv_call\") (param f64) (result "
         "f64) (local.get 0)))",
         "module has 200000 elements in its tables, the limit is 131072"},
        {"base64:AGFzbQIAAAA=", "this is no WebAssembly module (version 1)"},
    };
    const xf_wasm_signature signature = {.args = {EXTFN_NUMBER},
                                         .arg_count = 1,
                                         .ret = EXTFN_NUMBER};
    xf_wasm_engine *engine = make_engine();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        xf_wasm_module *module = NULL;
        extfn_error err = {0};
        assert_int_equal(load(engine, cases[i].body, &signature, &module, &err), EXTFN_ERUNTIME);
        assert_string_equal(err.message, cases[i].message);
        assert_null(module);
    }
    xf_wasm_engine_free(engine);
}

static void text_needs_a_place_in_the_module(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        const char *message;
    } cases[] = {
        {"wat:(module (func (export \"improv_call\") (param i32 i32) (result i64) (i64.const 0)))",
         "module does not export its memory as memory, which Text needs"},
        {"wat:(module (memory (export \"memory\") 1)"
         " (func (export \"improv_call\") (param i32 i32) (result i64) (i64.const 0)))",
         "module does not export improv_alloc; expected (i32) -> i32"},
        {"wat:(module (memory (export \"memory\") 1) (func (export \"improv_alloc\") (param i64)"
         " (result i32) (i32.const 0))"
         " (func (export \"improv_call\") (param i32 i32) (result i64) (i64.const 0)))",
         "module exports improv_alloc of the wrong type: expected (i32) -> i32, got (i64) -> i32"},
    };
    const xf_wasm_signature signature = {.args = {EXTFN_TEXT}, .arg_count = 1, .ret = EXTFN_TEXT};
    xf_wasm_engine *engine = make_engine();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        xf_wasm_module *module = NULL;
        extfn_error err = {0};
        assert_int_equal(load(engine, cases[i].body, &signature, &module, &err), EXTFN_ERUNTIME);
        assert_string_equal(err.message, cases[i].message);
    }
    xf_wasm_engine_free(engine);
}

static extfn_column *numbers(int64_t rows)
{
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_NUMBER, &column, NULL), EXTFN_OK);
    for (int64_t row = 0; row < rows; row++)
        assert_int_equal(extfn_column_append_number(column, (double)row, NULL), EXTFN_OK);
    return column;
}

/* Everything that allocates here: engine, module, rows one by one, rows in the loop. */
static extfn_status evaluate(const char *body, const extfn_column *column, extfn_error *err)
{
    const xf_wasm_engine_options options = {.memory_bytes = 64 << 20};
    const xf_wasm_signature signature = {.args = {EXTFN_NUMBER},
                                         .arg_count = 1,
                                         .ret = EXTFN_NUMBER};
    const extfn_column *columns[] = {column};
    xf_wasm_engine *engine = NULL;
    xf_wasm_module *module = NULL;
    extfn_column *result = NULL;
    extfn_status status = xf_wasm_engine_new(&options, &engine, err);
    if (status == EXTFN_OK)
        status = load(engine, body, &signature, &module, err);
    if (status == EXTFN_OK)
        status = extfn_column_new(EXTFN_NUMBER, &result, err);
    static const int64_t ends[] = {2, 200};
    for (size_t i = 0; i < 2 && status == EXTFN_OK; i++) {
        const xf_wasm_rows rows = {
            .module = module, .columns = columns, .first = 0, .end = ends[i], .limits = patient};
        status = xf_wasm_rows_run(&rows, result, err);
    }
    if (status == EXTFN_OK) {
        assert_int_equal(extfn_column_rows(result), 202);
        assert_int_equal(extfn_column_error_count(result), 0);
    }
    extfn_column_free(result);
    xf_wasm_module_unref(module);
    xf_wasm_engine_free(engine);
    return status;
}

static void every_failing_allocation_is_borne(void **state)
{
    (void)state;
    extfn_column *column = numbers(200);
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, status = evaluate(WASM_TWICE, column, NULL));
    extfn_column_free(column);
}

static void sessions_are_kept_and_modules_shared(void **state)
{
    (void)state;
    const xf_wasm_signature signature = {.arg_count = 0, .ret = EXTFN_NUMBER};
    xf_wasm_engine *engine = make_engine();
    xf_wasm_module *module = NULL;
    assert_int_equal(load(engine, WASM_FUNCTION("", "(f64.const 7)"), &signature, &module, NULL),
                     EXTFN_OK);
    xf_wasm_module *other = xf_wasm_module_ref(module);
    xf_wasm_module_unref(module);
    extfn_column *result = NULL;
    assert_int_equal(extfn_column_new(EXTFN_NUMBER, &result, NULL), EXTFN_OK);
    for (int i = 0; i < 3; i++) {
        const xf_wasm_rows rows = {.module = other, .first = 0, .end = 100, .limits = patient};
        assert_int_equal(xf_wasm_rows_run(&rows, result, NULL), EXTFN_OK);
    }
    assert_int_equal(extfn_column_rows(result), 300);
    assert_true(extfn_column_numbers(result)[299] == 7.0);
    extfn_column_free(result);
    xf_wasm_module_unref(other);
    xf_wasm_engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_with_a_module_is_told),
        cmocka_unit_test(text_needs_a_place_in_the_module),
        cmocka_unit_test(every_failing_allocation_is_borne),
        cmocka_unit_test(sessions_are_kept_and_modules_shared),
    };
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
