/* bench ROWS: extfn's side of the measurement. Reads `cold FUNCTION`, `warm FUNCTION` or `column
 * FUNCTION` a line from stdin and answers each with the seconds of one call (`shared`: of a column
 * that two workers share); `confined CALL` and
 * `trusted CALL` with those of one system call under that policy. The data and the sum of the
 * results are those of bench/run. SPDX-License-Identifier: MIT */
#include <extfn/extfn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WARM_CALLS 1000

/* The seconds of one system call and of the loop around it. */
#define SYSTEM_CALLS(call, args)                                                                   \
    "import fcntl, os, time\ncall = " call "\nstart = time.process_time()\n"                       \
    "for _ in range(200000): call(" args ")\nresult = (time.process_time() - start) / 200000"

static const struct {
    const char *name;
    extfn_language language;
    const char *body;
    bool is_vectorized;
} functions[] = {
    {"python", EXTFN_PYTHON, "result = args[0] + args[1]", false},
    {"r", EXTFN_R, "result <- args[[1]] + args[[2]]", false},
    {"julia", EXTFN_JULIA, "result = args[1] + args[2]", false},
    {"r-vectorized", EXTFN_R, "result <- args[[1]] + args[[2]]", true},
    {"wasm", EXTFN_WASM,
     "wat:(module (func (export \"improv_call\") (param f64 f64) (result f64)"
     " (f64.add (local.get 0) (local.get 1))))",
     false},
    {"call", EXTFN_PYTHON, SYSTEM_CALLS("os.getppid", ""), false},
    {"checked-call", EXTFN_PYTHON, SYSTEM_CALLS("fcntl.fcntl", "0, fcntl.F_GETFD"), false},
};

typedef struct bench_state {
    extfn_host *host; /* keeps the workers of `warm` and `column` */
    extfn_registry *registry;
    extfn_column *columns[2];
    int64_t rows;
    double sum;
} bench_state;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static extfn_status prepare(bench_state *bench, int64_t rows, extfn_error *err)
{
    extfn_status status = extfn_host_new(NULL, &bench->host, err);
    if (status == EXTFN_OK)
        status = extfn_registry_new(&bench->registry, err);
    const extfn_type types[] = {EXTFN_NUMBER, EXTFN_NUMBER};
    for (size_t i = 0; status == EXTFN_OK && i < sizeof(functions) / sizeof(functions[0]); i++) {
        extfn_function_options options = {.struct_size = sizeof(options),
                                          .name = functions[i].name,
                                          .language = functions[i].language,
                                          .body = functions[i].body,
                                          .arg_types = types,
                                          .arg_count = 2,
                                          .return_type = EXTFN_NUMBER,
                                          .is_pure = true,
                                          .is_vectorized = functions[i].is_vectorized};
        extfn_function *function = NULL;
        status = extfn_function_new(&options, &function, err);
        if (status == EXTFN_OK)
            status = extfn_registry_register(bench->registry, function, NULL, err);
        extfn_function_unref(function);
    }
    bench->rows = rows;
    for (int c = 0; status == EXTFN_OK && c < 2; c++) {
        status = extfn_column_new(EXTFN_NUMBER, &bench->columns[c], err);
        for (int64_t i = 0; status == EXTFN_OK && i < rows; i++) {
            double number = c == 0 ? 0.5 * (double)i : (double)(i % 7);
            bench->sum += number;
            status = extfn_column_append_number(bench->columns[c], number, err);
        }
    }
    return status;
}

static void finish(bench_state *bench)
{
    extfn_column_free(bench->columns[0]);
    extfn_column_free(bench->columns[1]);
    extfn_registry_free(bench->registry);
    extfn_host_free(bench->host);
}

static extfn_status call(const bench_state *bench, extfn_host *host, const char *name,
                         extfn_error *err)
{
    const extfn_value args[] = {extfn_value_number(2), extfn_value_number(3)};
    extfn_value result = {0};
    extfn_status status =
        extfn_registry_eval(bench->registry, host, name, args, 2, NULL, &result, err);
    if (status == EXTFN_OK && result.as.number != 5)
        abort();
    return status;
}

/* A host object, its first call, and the end of all that it started. */
static extfn_status cold(const bench_state *bench, const char *name, double *ret_seconds,
                         extfn_error *err)
{
    double start = now();
    extfn_host *host = NULL;
    extfn_status status = extfn_host_new(NULL, &host, err);
    if (status == EXTFN_OK)
        status = call(bench, host, name, err);
    extfn_host_free(host);
    *ret_seconds = now() - start;
    return status;
}

static extfn_status warm(const bench_state *bench, const char *name, double *ret_seconds,
                         extfn_error *err)
{
    extfn_status status = call(bench, bench->host, name, err);
    double start = now();
    for (int i = 0; status == EXTFN_OK && i < WARM_CALLS; i++)
        status = call(bench, bench->host, name, err);
    *ret_seconds = (now() - start) / WARM_CALLS;
    return status;
}

/* The policy decides about the filters. */
static extfn_status system_call(const bench_state *bench, extfn_policy policy, const char *name,
                                double *ret_seconds, extfn_error *err)
{
    const extfn_host_options options = {.struct_size = sizeof(options), .policy = policy};
    const extfn_value args[] = {extfn_value_number(0), extfn_value_number(0)};
    extfn_host *host = NULL;
    extfn_value result = {0};
    extfn_status status = extfn_host_new(&options, &host, err);
    if (status == EXTFN_OK)
        status = extfn_registry_eval(bench->registry, host, name, args, 2, NULL, &result, err);
    extfn_host_free(host);
    *ret_seconds = result.as.number;
    return status;
}

static extfn_status column_of(const bench_state *bench, size_t workers, const char *name,
                              double *ret_seconds, extfn_error *err)
{
    extfn_status status = call(bench, bench->host, name, err);
    if (status != EXTFN_OK)
        return status;
    const extfn_column *const columns[] = {bench->columns[0], bench->columns[1]};
    extfn_function *function = extfn_registry_get(bench->registry, name);
    extfn_column *result = NULL;
    const extfn_call_options options = {.struct_size = sizeof(options), .workers = workers};
    double start = now();
    status =
        extfn_host_apply(bench->host, function, columns, 2, bench->rows, &options, &result, err);
    *ret_seconds = now() - start;
    extfn_function_unref(function);
    if (status != EXTFN_OK)
        return status;
    const double *numbers = extfn_column_numbers(result);
    double sum = 0;
    for (int64_t i = 0; i < bench->rows; i++)
        sum += numbers[i];
    if (sum != bench->sum || extfn_column_error_count(result) != 0)
        abort();
    extfn_column_free(result);
    return EXTFN_OK;
}

/* Beside the language's own loop, which has one processor too. */
static extfn_status column(const bench_state *bench, const char *name, double *ret_seconds,
                           extfn_error *err)
{
    return column_of(bench, 1, name, ret_seconds, err);
}

static extfn_status shared_column(const bench_state *bench, const char *name, double *ret_seconds,
                                  extfn_error *err)
{
    return column_of(bench, 2, name, ret_seconds, err);
}

static extfn_status confined(const bench_state *bench, const char *name, double *ret_seconds,
                             extfn_error *err)
{
    return system_call(bench, EXTFN_RESTRICTED, name, ret_seconds, err);
}

static extfn_status trusted(const bench_state *bench, const char *name, double *ret_seconds,
                            extfn_error *err)
{
    return system_call(bench, EXTFN_TRUSTED, name, ret_seconds, err);
}

static const struct {
    const char *name;
    extfn_status (*measure)(const bench_state *, const char *, double *, extfn_error *);
} commands[] = {{"cold", cold},         {"warm", warm},
                {"column", column},     {"shared", shared_column},
                {"confined", confined}, {"trusted", trusted}};

static extfn_status answer(const bench_state *bench, char *line, double *ret_seconds,
                           extfn_error *err)
{
    char *save = NULL;
    const char *what = strtok_r(line, " \n", &save);
    const char *name = strtok_r(NULL, " \n", &save);
    for (size_t i = 0; name && i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(what, commands[i].name) == 0)
            return commands[i].measure(bench, name, ret_seconds, err);
    }
    (void)snprintf(err->message, sizeof(err->message), "unknown command");
    return EXTFN_EINVAL;
}

int main(int argc, char **argv)
{
    bench_state bench = {0};
    extfn_error err = {0};
    int64_t rows = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    extfn_status status = prepare(&bench, rows, &err);
    char line[64];
    while (status == EXTFN_OK && fgets(line, sizeof(line), stdin)) {
        double seconds = 0;
        status = answer(&bench, line, &seconds, &err);
        if (status == EXTFN_OK)
            (void)printf("%.9f\n", seconds);
        (void)fflush(stdout);
    }
    if (status != EXTFN_OK)
        (void)fprintf(stderr, "bench: %s\n", err.message);
    finish(&bench);
    return status == EXTFN_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
