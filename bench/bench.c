/* bench ROWS: extfn's side of the measurement. Reads a line at a time from stdin:
 *
 *     cold FUNCTION            a host object, one call, and the end of all that it started
 *     warm FUNCTION [COPIES]   one call, in turns to so many copies of the function
 *     memo FUNCTION            one call whose value is known
 *     column FUNCTION [WORKERS]    all rows, by so many workers; one unless given
 *     confined CALL, trusted CALL  one system call under that policy
 *
 * and answers each with `SECONDS SUM`: the sum of the results (of texts: of their bytes and first
 * characters), which every program of the bench gives alike. With a second argument, a program
 * that stands for Pure, there is the function `floor`; with a third, a folder with NumPy, the
 * function `numpy`. SPDX-License-Identifier: MIT */
#include "functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WARM_CALLS 1000
#define COPIES_MOST 64
#define MEMO_BYTES (UINT64_C(1) << 20)
#define ROWS_LEAST 100000 /* of one measurement; a shorter column is done again */

typedef struct bench_state {
    extfn_host *host;     /* keeps the workers of `warm` and `column` */
    extfn_host *memoizer; /* keeps values */
    extfn_registry *registry;
    extfn_column *numbers[2];
    extfn_column *texts;
    int64_t rows;
} bench_state;

typedef struct bench_reading {
    double seconds;
    double sum;
} bench_reading;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static extfn_status fill_columns(bench_state *bench, extfn_error *err)
{
    extfn_status status = EXTFN_OK;
    for (int64_t i = 0; status == EXTFN_OK && i < bench->rows; i++) {
        char text[32];
        int size = snprintf(text, sizeof(text), TEXT_ROW, i);
        status = extfn_column_append_number(bench->numbers[0], 0.5 * (double)i, err);
        if (status == EXTFN_OK)
            status = extfn_column_append_number(bench->numbers[1], (double)(i % 7), err);
        if (status == EXTFN_OK)
            status = extfn_column_append_text(bench->texts, text, (size_t)size, err);
    }
    return status;
}

static extfn_status prepare(bench_state *bench, char *const programs[], extfn_error *err)
{
    /* What is warm stays warm, however many functions a run measures, and however long a round
     * takes. */
    extfn_host_options options = {.struct_size = sizeof(options),
                                  .warm_workers = 96,
                                  .idle_timeout_us = INT64_C(3600) * 1000000,
                                  .workers_memory_bytes = UINT64_C(1) << 40};
    if (programs[0])
        options.interpreters[EXTFN_PURE] = programs[0];
    if (programs[0] && programs[1])
        options.packages[EXTFN_PYTHON] = programs[1];
    extfn_status status = extfn_host_new(&options, &bench->host, err);
    options.memo_bytes = MEMO_BYTES;
    if (status == EXTFN_OK)
        status = extfn_host_new(&options, &bench->memoizer, err);
    if (status == EXTFN_OK)
        status = extfn_registry_new(&bench->registry, err);
    if (status == EXTFN_OK)
        status = bench_functions_register(bench->registry, err);
    for (int c = 0; status == EXTFN_OK && c < 2; c++)
        status = extfn_column_new(EXTFN_NUMBER, &bench->numbers[c], err);
    if (status == EXTFN_OK)
        status = extfn_column_new(EXTFN_TEXT, &bench->texts, err);
    return status == EXTFN_OK ? fill_columns(bench, err) : status;
}

static void finish(bench_state *bench)
{
    extfn_column_free(bench->numbers[0]);
    extfn_column_free(bench->numbers[1]);
    extfn_column_free(bench->texts);
    extfn_registry_free(bench->registry);
    extfn_host_free(bench->host);
    extfn_host_free(bench->memoizer);
}

/* ---- Calls ---- */

static double text_sum(const char *data, size_t size)
{
    return (double)size + (size > 0 ? (double)data[0] : 0);
}

static extfn_status call(extfn_host *host, extfn_function *function, const bench_function *known,
                         double *ret_result, extfn_error *err)
{
    const extfn_value numbers[] = {extfn_value_number(2), extfn_value_number(3)};
    extfn_value text = {0};
    extfn_value result = {0};
    extfn_status status = extfn_value_text("a", 1, &text, err);
    if (status == EXTFN_OK)
        status = extfn_host_eval(host, function, known->row ? numbers : &text, known->row ? 2 : 1,
                                 NULL, &result, err);
    if (status == EXTFN_OK)
        *ret_result =
            known->row ? result.as.number : text_sum(result.as.text.data, result.as.text.size);
    if (status == EXTFN_OK && known->row && *ret_result != known->row(2, 3))
        abort();
    extfn_value_clear(&text);
    extfn_value_clear(&result);
    return status;
}

static extfn_status cold(const bench_state *bench, const bench_function *known, long unused,
                         bench_reading *ret_reading, extfn_error *err)
{
    (void)unused;
    extfn_function *function = extfn_registry_get(bench->registry, known->name);
    extfn_host *host = NULL;
    double start = now();
    extfn_status status = extfn_host_new(NULL, &host, err);
    if (status == EXTFN_OK)
        status = call(host, function, known, &ret_reading->sum, err);
    extfn_host_free(host);
    ret_reading->seconds = now() - start;
    extfn_function_unref(function);
    return status;
}

/* The first of them is the function itself, which other lines keep warm too. */
static extfn_status make_copies(const bench_state *bench, const bench_function *known,
                                extfn_function **copies, size_t count, extfn_error *err)
{
    extfn_status status = EXTFN_OK;
    copies[0] = extfn_registry_get(bench->registry, known->name);
    for (size_t i = 1; status == EXTFN_OK && i < count; i++) {
        char name[64];
        (void)snprintf(name, sizeof(name), "copy_%zu", i);
        status = bench_function_make(known, name, &copies[i], err);
    }
    return status;
}

static extfn_status warm(const bench_state *bench, const bench_function *known, long copies_asked,
                         bench_reading *ret_reading, extfn_error *err)
{
    extfn_function *copies[COPIES_MOST] = {0};
    const size_t count = (size_t)copies_asked;
    extfn_status status = make_copies(bench, known, copies, count, err);
    for (size_t i = 0; status == EXTFN_OK && i < count; i++)
        status = call(bench->host, copies[i], known, &ret_reading->sum, err);
    double start = now();
    for (size_t i = 0; status == EXTFN_OK && count > 0 && i < WARM_CALLS; i++)
        status = call(bench->host, copies[i % count], known, &ret_reading->sum, err);
    ret_reading->seconds = (now() - start) / WARM_CALLS;
    for (size_t i = 0; i < count; i++)
        extfn_function_unref(copies[i]);
    return status;
}

static extfn_status memo(const bench_state *bench, const bench_function *known, long unused,
                         bench_reading *ret_reading, extfn_error *err)
{
    (void)unused;
    extfn_function *function = extfn_registry_get(bench->registry, known->name);
    extfn_status status = call(bench->memoizer, function, known, &ret_reading->sum, err);
    double start = now();
    for (size_t i = 0; status == EXTFN_OK && i < WARM_CALLS; i++)
        status = call(bench->memoizer, function, known, &ret_reading->sum, err);
    ret_reading->seconds = (now() - start) / WARM_CALLS;
    extfn_function_unref(function);
    return status;
}

/* The policy decides about the filters. */
static extfn_status system_call(const bench_state *bench, extfn_policy policy,
                                const bench_function *known, bench_reading *ret_reading,
                                extfn_error *err)
{
    const extfn_host_options options = {.struct_size = sizeof(options), .policy = policy};
    const extfn_value args[] = {extfn_value_number(0), extfn_value_number(0)};
    extfn_host *host = NULL;
    extfn_value result = {0};
    extfn_status status = extfn_host_new(&options, &host, err);
    if (status == EXTFN_OK)
        status =
            extfn_registry_eval(bench->registry, host, known->name, args, 2, NULL, &result, err);
    extfn_host_free(host);
    ret_reading->seconds = result.as.number;
    return status;
}

static extfn_status confined(const bench_state *bench, const bench_function *known, long unused,
                             bench_reading *ret_reading, extfn_error *err)
{
    (void)unused;
    return system_call(bench, EXTFN_RESTRICTED, known, ret_reading, err);
}

static extfn_status trusted(const bench_state *bench, const bench_function *known, long unused,
                            bench_reading *ret_reading, extfn_error *err)
{
    (void)unused;
    return system_call(bench, EXTFN_TRUSTED, known, ret_reading, err);
}

/* ---- Columns ---- */

/* Every row of numbers is looked at; texts are known by their sum. */
static double check(const bench_state *bench, const bench_function *known,
                    const extfn_column *result)
{
    double sum = 0;
    if (extfn_column_error_count(result) != 0)
        abort();
    const double *numbers = extfn_column_numbers(result);
    const double *x = extfn_column_numbers(bench->numbers[0]);
    const double *y = extfn_column_numbers(bench->numbers[1]);
    const int64_t *offsets = extfn_column_text_offsets(result);
    const char *bytes = extfn_column_text_bytes(result);
    for (int64_t row = 0; row < bench->rows; row++) {
        if (known->row && numbers[row] != known->row(x[row], y[row]))
            abort();
        sum += known->row
                   ? numbers[row]
                   : text_sum(bytes + offsets[row], (size_t)(offsets[row + 1] - offsets[row]));
    }
    return sum;
}

static extfn_status column_once(const bench_state *bench, extfn_function *function,
                                const bench_function *known, size_t workers, bench_reading *reading,
                                extfn_error *err)
{
    const extfn_column *const numbers[] = {bench->numbers[0], bench->numbers[1]};
    const extfn_column *const texts[] = {bench->texts};
    extfn_column *result = NULL;
    const extfn_call_options options = {.struct_size = sizeof(options), .workers = workers};
    double start = now();
    extfn_status status = extfn_host_apply(bench->host, function, known->row ? numbers : texts,
                                           known->row ? 2 : 1, bench->rows, &options, &result, err);
    reading->seconds += now() - start;
    if (status == EXTFN_OK)
        reading->sum = check(bench, known, result);
    extfn_column_free(result);
    return status;
}

/* With one worker it stands beside the language's own loop, which has one processor too. */
static extfn_status column(const bench_state *bench, const bench_function *known, long workers,
                           bench_reading *ret_reading, extfn_error *err)
{
    extfn_function *function = extfn_registry_get(bench->registry, known->name);
    const int64_t passes = bench->rows < ROWS_LEAST ? ROWS_LEAST / bench->rows : 1;
    extfn_status status = call(bench->host, function, known, &ret_reading->sum, err);
    for (int64_t i = 0; status == EXTFN_OK && i < passes; i++)
        status = column_once(bench, function, known, (size_t)workers, ret_reading, err);
    ret_reading->seconds /= (double)passes;
    extfn_function_unref(function);
    return status;
}

/* ---- Lines of stdin ---- */

static const struct {
    const char *name;
    extfn_status (*measure)(const bench_state *, const bench_function *, long, bench_reading *,
                            extfn_error *);
} commands[] = {{"cold", cold},     {"warm", warm},         {"memo", memo},
                {"column", column}, {"confined", confined}, {"trusted", trusted}};

static extfn_status answer(const bench_state *bench, char *line, bench_reading *ret_reading,
                           extfn_error *err)
{
    char *save = NULL;
    const char *what = strtok_r(line, " \n", &save);
    const char *name = strtok_r(NULL, " \n", &save);
    const char *word = strtok_r(NULL, " \n", &save);
    long count = word ? strtol(word, NULL, 10) : 1;
    for (size_t i = 0; name && i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(what, commands[i].name) == 0 && count >= 1 && count <= COPIES_MOST)
            return commands[i].measure(bench, bench_function_find(name), count, ret_reading, err);
    }
    (void)snprintf(err->message, sizeof(err->message), "unknown command");
    return EXTFN_EINVAL;
}

int main(int argc, char **argv)
{
    bench_state bench = {0};
    extfn_error err = {0};
    bench.rows = argc >= 2 ? strtol(argv[1], NULL, 10) : 0;
    if (bench.rows < 1) {
        (void)fputs("usage: bench ROWS [PURE [NUMPY]]\n", stderr);
        return EXIT_FAILURE;
    }
    extfn_status status = prepare(&bench, argv + 2, &err);
    char line[64];
    while (status == EXTFN_OK && fgets(line, sizeof(line), stdin)) {
        bench_reading reading = {0};
        status = answer(&bench, line, &reading, &err);
        if (status == EXTFN_OK)
            (void)printf("%.9f %.17g\n", reading.seconds, reading.sum);
        (void)fflush(stdout);
    }
    if (status != EXTFN_OK)
        (void)fprintf(stderr, "bench: %s\n", err.message);
    finish(&bench);
    return status == EXTFN_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
