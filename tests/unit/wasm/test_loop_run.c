/* The loop module in the real engine. SPDX-License-Identifier: MIT */
#include "base/auto.h"
#include "support/require.h"
#include "support/unit.h"
#include "wasm/api.h"
#include "wasm/loop.h"

#include <string.h>

typedef struct fixture {
    xf_wasm_api engine;
    wasm_engine_t *instance;
    wasmtime_store_t *store;
    wasmtime_context_t *context;
    xf_wasm_loop loop;
    wasmtime_extern_t memory;
    wasmtime_extern_t row;
    wasmtime_extern_t run;
} fixture;

static void check(wasmtime_error_t *failure, const wasm_trap_t *trap)
{
    assert_null(failure);
    assert_null(trap);
}

static wasmtime_instance_t instantiate(fixture *on, const void *bytes, size_t size,
                                       const wasmtime_extern_t *import)
{
    wasmtime_module_t *module = NULL;
    wasmtime_instance_t instance;
    wasm_trap_t *trap = NULL;
    check(on->engine.wasmtime_module_new(on->instance, bytes, size, &module), NULL);
    check(on->engine.wasmtime_instance_new(on->context, module, import, import ? 1 : 0, &instance,
                                           &trap),
          trap);
    on->engine.wasmtime_module_delete(module);
    return instance;
}

static wasmtime_extern_t export_of(const fixture *on, const wasmtime_instance_t *instance,
                                   const char *name)
{
    wasmtime_extern_t found;
    assert_true(
        on->engine.wasmtime_instance_export_get(on->context, instance, name, strlen(name), &found));
    return found;
}

static bool set_up(fixture *on, const xf_wasm_signature *signature, const char *text)
{
    if (xf_wasm_api_load(NULL, &on->engine, NULL) != EXTFN_OK)
        return false;
    wasm_config_t *config = on->engine.wasm_config_new();
    on->engine.wasmtime_config_signals_based_traps_set(config, false);
    on->instance = on->engine.wasm_engine_new_with_config(config);
    on->store = on->engine.wasmtime_store_new(on->instance, NULL, NULL);
    on->context = on->engine.wasmtime_store_context(on->store);
    wasm_byte_vec_t binary = {0};
    check(on->engine.wasmtime_wat2wasm(text, strlen(text), &binary), NULL);
    wasmtime_instance_t user = instantiate(on, binary.data, binary.size, NULL);
    on->engine.wasm_byte_vec_delete(&binary);
    wasmtime_extern_t call = export_of(on, &user, "improv_call");
    XF_AUTO(xf_buf_clear) xf_buf module = {0};
    on->loop = xf_wasm_loop_plan(signature);
    assert_int_equal(xf_wasm_loop_write(signature, &on->loop, &module, NULL), EXTFN_OK);
    wasmtime_instance_t loop = instantiate(on, module.data, module.size, &call);
    on->memory = export_of(on, &loop, XF_WASM_LOOP_MEMORY);
    on->row = export_of(on, &loop, XF_WASM_LOOP_ROW);
    on->run = export_of(on, &loop, XF_WASM_LOOP_RUN);
    return true;
}

static void tear_down(const fixture *on)
{
    on->engine.wasmtime_store_delete(on->store);
    on->engine.wasm_engine_delete(on->instance);
}

static uint8_t *bytes_at(const fixture *on, uint32_t start)
{
    return on->engine.wasmtime_memory_data(on->context, &on->memory.of.memory) + start;
}

/* The rows; whether it trapped. */
static bool run_traps(const fixture *on, int32_t first, int32_t end)
{
    wasmtime_val_t args[2] = {{.kind = WASMTIME_I32}, {.kind = WASMTIME_I32}};
    wasm_trap_t *trap = NULL;
    args[0].of.i32 = first;
    args[1].of.i32 = end;
    check(on->engine.wasmtime_func_call(on->context, &on->run.of.func, args, 2, NULL, 0, &trap),
          NULL);
    bool is_trapped = trap != NULL;
    if (trap)
        on->engine.wasm_trap_delete(trap);
    return is_trapped;
}

static int32_t row_of(const fixture *on)
{
    wasmtime_val_t row;
    on->engine.wasmtime_global_get(on->context, &on->row.of.global, &row);
    return row.of.i32;
}

#define SET_UP(on, signature, text) XF_TEST_REQUIRE("wasm", set_up(&(on), &(signature), text))

static void put(const fixture *on, uint32_t start, uint32_t row, const void *element, size_t width)
{
    memcpy(bytes_at(on, start) + row * width, element, width);
}

/* f(number, boolean, datetime, enum) = their sum as a DateTime, of rows 1 to 6 of 8. */
static void each_type_is_walked(void **state)
{
    (void)state;
    const xf_wasm_signature signature = {.args = {EXTFN_NUMBER, EXTFN_BOOLEAN, EXTFN_DATETIME,
                                                  EXTFN_ENUM},
                                         .arg_count = 4,
                                         .ret = EXTFN_DATETIME};
    fixture on = {0};
    SET_UP(on, signature,
           "(module (func (export \"improv_call\") (param f64 i32 i64 i32) (result i64)"
           " (i64.add (i64.add (i64.trunc_f64_s (local.get 0))"
           "   (i64.mul (i64.extend_i32_s (local.get 1)) (i64.const 1000)))"
           "  (i64.add (local.get 2) (i64.extend_i32_u (local.get 3))))))");
    for (uint32_t row = 0; row < 8; row++) {
        double number = row + 0.5;
        uint8_t boolean = row % 2;
        int64_t datetime = -INT64_C(1000000000000) * row;
        uint32_t index = UINT32_MAX - row;
        put(&on, on.loop.arg_starts[0], row, &number, sizeof(number));
        put(&on, on.loop.arg_starts[1], row, &boolean, sizeof(boolean));
        put(&on, on.loop.arg_starts[2], row, &datetime, sizeof(datetime));
        put(&on, on.loop.arg_starts[3], row, &index, sizeof(index));
    }
    assert_false(run_traps(&on, 1, 7));
    int64_t results[8];
    memcpy(results, bytes_at(&on, on.loop.ret_start), sizeof(results));
    for (int64_t row = 0; row < 8; row++) {
        int64_t sum = row + row % 2 * 1000 - INT64_C(1000000000000) * row + UINT32_MAX - row;
        assert_int_equal(results[row], row == 0 || row == 7 ? 0 : sum);
    }
    tear_down(&on);
}

static void a_trap_names_its_row_and_the_rest_goes_on(void **state)
{
    (void)state;
    const xf_wasm_signature signature = {.args = {EXTFN_ENUM},
                                         .arg_count = 1,
                                         .ret = EXTFN_BOOLEAN};
    fixture on = {0};
    SET_UP(on, signature,
           "(module (func (export \"improv_call\") (param i32) (result i32)"
           " (i32.div_s (local.get 0) (local.get 0))))");
    const uint32_t enums[9] = {1, 2, 3, 4, 5, 6, 0, 8, 9};
    memcpy(bytes_at(&on, on.loop.arg_starts[0]), enums, sizeof(enums));
    assert_true(run_traps(&on, 0, 9));
    assert_int_equal(row_of(&on), 6);
    assert_false(run_traps(&on, 7, 9));
    int32_t results[9];
    memcpy(results, bytes_at(&on, on.loop.ret_start), sizeof(results));
    for (int i = 0; i < 9; i++)
        assert_int_equal(results[i], i != 6);
    tear_down(&on);
}

static void without_columns_every_row_is_called(void **state)
{
    (void)state;
    const xf_wasm_signature signature = {.ret = EXTFN_NUMBER};
    fixture on = {0};
    SET_UP(on, signature, "(module (func (export \"improv_call\") (result f64) (f64.const 7)))");
    const int32_t rows = (int32_t)on.loop.rows;
    assert_false(run_traps(&on, 0, 0));
    assert_false(run_traps(&on, 0, rows));
    assert_int_equal(row_of(&on), rows - 1);
    const uint8_t *results = bytes_at(&on, on.loop.ret_start);
    for (int32_t row = 0; row < rows; row++)
        assert_memory_equal(results + row * 8, &(double){7}, sizeof(double));
    tear_down(&on);
}

/* The largest signature: the last column alone makes the result. */
static void the_widest_row_is_walked(void **state)
{
    (void)state;
    xf_wasm_signature signature = {.arg_count = EXTFN_ARGUMENT_LIMIT, .ret = EXTFN_NUMBER};
    char text[2048] = "(module (func (export \"improv_call\") (param";
    for (size_t i = 0; i < EXTFN_ARGUMENT_LIMIT; i++) {
        signature.args[i] = EXTFN_NUMBER;
        strcat(text, " f64");
    }
    strcat(text, ") (result f64) (f64.neg (local.get 63))))");
    fixture on = {0};
    SET_UP(on, signature, text);
    for (uint32_t row = 0; row < on.loop.rows; row++)
        put(&on, on.loop.arg_starts[63], row, &(double){row}, sizeof(double));
    assert_false(run_traps(&on, 0, (int32_t)on.loop.rows));
    const uint8_t *results = bytes_at(&on, on.loop.ret_start);
    for (uint32_t row = 0; row < on.loop.rows; row++)
        assert_memory_equal(results + row * 8UL, &(double){-(double)row}, sizeof(double));
    tear_down(&on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_type_is_walked),
        cmocka_unit_test(a_trap_names_its_row_and_the_rest_goes_on),
        cmocka_unit_test(without_columns_every_row_is_called),
        cmocka_unit_test(the_widest_row_is_walked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
