/* raw_wasm ROWS: what a C program does that calls wasmtime itself. `rows` a line of stdin is
 * answered with seconds and sum of a loop of unchecked calls over the data of bench/run, `call`
 * with those of one call by a new engine: compile, instantiate, call. SPDX-License-Identifier: MIT
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wasm.h>
#include <wasmtime.h>

typedef struct raw_state {
    wasm_engine_t *engine;
    wasmtime_module_t *module;
    wasmtime_store_t *store;
    wasmtime_context_t *context;
    wasmtime_func_t call;
    size_t rows;
    double *columns[2];
    double *results; /* its pages are there before the clock starts */
    double sum;
} raw_state;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void check(const void *failure)
{
    if (failure)
        abort();
}

static void open_engine(raw_state *raw)
{
    static const char text[] = "(module (func (export \"improv_call\") (param f64 f64) (result f64)"
                               " (f64.add (local.get 0) (local.get 1))))";
    wasm_byte_vec_t binary;
    wasm_trap_t *trap = NULL;
    wasmtime_instance_t instance;
    wasmtime_extern_t found;
    raw->engine = wasm_engine_new();
    check(wasmtime_wat2wasm(text, strlen(text), &binary));
    check(
        wasmtime_module_new(raw->engine, (const uint8_t *)binary.data, binary.size, &raw->module));
    wasm_byte_vec_delete(&binary);
    raw->store = wasmtime_store_new(raw->engine, NULL, NULL);
    raw->context = wasmtime_store_context(raw->store);
    check(wasmtime_instance_new(raw->context, raw->module, NULL, 0, &instance, &trap));
    check(trap);
    if (!wasmtime_instance_export_get(raw->context, &instance, "improv_call", strlen("improv_call"),
                                      &found))
        abort();
    raw->call = found.of.func;
}

static void close_engine(const raw_state *raw)
{
    wasmtime_store_delete(raw->store);
    wasmtime_module_delete(raw->module);
    wasm_engine_delete(raw->engine);
}

static double call(const raw_state *raw, double x, double y)
{
    wasmtime_val_raw_t values[2] = {{.f64 = x}, {.f64 = y}};
    wasm_trap_t *trap = NULL;
    check(wasmtime_func_call_unchecked(raw->context, &raw->call, values, 2, &trap));
    check(trap);
    return values[0].f64;
}

static double measure_rows(const raw_state *raw)
{
    double start = now();
    for (size_t i = 0; i < raw->rows; i++)
        raw->results[i] = call(raw, raw->columns[0][i], raw->columns[1][i]);
    double seconds = now() - start;
    double sum = 0;
    for (size_t i = 0; i < raw->rows; i++)
        sum += raw->results[i];
    if (sum != raw->sum)
        abort();
    return seconds;
}

static double measure_call(void)
{
    raw_state once = {0};
    double start = now();
    open_engine(&once);
    if (call(&once, 2, 3) != 5)
        abort();
    close_engine(&once);
    return now() - start;
}

static void prepare(raw_state *raw, size_t rows)
{
    raw->rows = rows;
    for (int c = 0; c < 2; c++) {
        raw->columns[c] = malloc(rows * sizeof(double));
        if (!raw->columns[c])
            abort();
        for (size_t i = 0; i < rows; i++) {
            raw->columns[c][i] = c == 0 ? 0.5 * (double)i : (double)(i % 7);
            raw->sum += raw->columns[c][i];
        }
    }
    raw->results = malloc(rows * sizeof(double));
    if (!raw->results)
        abort();
    memset(raw->results, 1, rows * sizeof(double));
    open_engine(raw);
}

int main(int argc, char **argv)
{
    raw_state raw = {0};
    char line[64];
    if (argc != 2)
        return EXIT_FAILURE;
    prepare(&raw, strtoul(argv[1], NULL, 10));
    while (fgets(line, sizeof(line), stdin)) {
        bool is_rows = strcmp(line, "rows\n") == 0;
        (void)printf("%.9f %.17g\n", is_rows ? measure_rows(&raw) : measure_call(),
                     is_rows ? raw.sum : 5);
        (void)fflush(stdout);
    }
    close_engine(&raw);
    free(raw.columns[0]);
    free(raw.columns[1]);
    free(raw.results);
    return EXIT_SUCCESS;
}
