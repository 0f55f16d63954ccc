/* bench ROWS: extfn's side of the measurement. Reads `cold FUNCTION`, `warm FUNCTION` or `column
 * FUNCTION` a line from stdin and answers each with the seconds of one call (`shared`: of a column
 * that two workers share; `memo`: of a call whose value is known); `confined CALL` and `trusted
 * CALL` with those of one system call under that policy. The data are those of bench/run, the
 * results are looked at. With a second argument, a program that stands for Pure, there is the
 * function `floor`; with a third, a folder with NumPy, the function `numpy`.
 * SPDX-License-Identifier: MIT */
#include <extfn/extfn.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define WARM_CALLS 1000
#define MEMO_BYTES (UINT64_C(1) << 20)

/* The seconds of one system call and of the loop around it. */
#define SYSTEM_CALLS(call, args)                                                                   \
    "import fcntl, os, time\ncall = " call "\nstart = time.process_time()\n"                       \
    "for _ in range(200000): call(" args ")\nresult = (time.process_time() - start) / 200000"

/* What a row has to give, here as a number. */
static double add(double x, double y)
{
    return x + y;
}

static double branch(double x, double y)
{
    return x > y ? x - y : y * 2;
}

#define TEXT_ROW "item %" PRId64
#define TEXT_END "!"

typedef struct bench_function {
    const char *name;
    extfn_language language;
    const char *body;
    double (*row)(double x, double y); /* of numbers x and y; NULL: of texts x, gives a text */
    bool is_vectorized;
} bench_function;

static const bench_function functions[] = {
    {"python", EXTFN_PYTHON, "result = args[0] + args[1]", add, false},
    {"python-named", EXTFN_PYTHON, "result = x + y", add, false},
    {"python-branch", EXTFN_PYTHON, "if x > y:\n    result = x - y\nelse:\n    result = y * 2",
     branch, false},
    {"python-text", EXTFN_PYTHON, "result = x.upper() + '" TEXT_END "'", NULL, false},
    {"numpy", EXTFN_PYTHON, "result = x + y", add, true},
    {"r", EXTFN_R, "result <- args[[1]] + args[[2]]", add, false},
    {"r-named", EXTFN_R, "result <- x + y", add, false},
    {"r-text", EXTFN_R, "result <- paste0(x, '" TEXT_END "')", NULL, false},
    {"r-vectorized", EXTFN_R, "result <- x + y", add, true},
    {"julia", EXTFN_JULIA, "result = args[1] + args[2]", add, false},
    {"julia-named", EXTFN_JULIA, "result = x + y", add, false},
    {"julia-text", EXTFN_JULIA, "result = uppercase(x) * \"" TEXT_END "\"", NULL, false},
    {"julia-vectorized", EXTFN_JULIA, "result = x .+ y", add, true},
    {"wasm", EXTFN_WASM,
     "wat:(module (func (export \"improv_call\") (param f64 f64) (result f64)"
     " (f64.add (local.get 0) (local.get 1))))",
     add, false},
    {"floor", EXTFN_PURE, "let result = x + y;", add, false},
    {"call", EXTFN_PYTHON, SYSTEM_CALLS("os.getppid", ""), add, false},
    {"checked-call", EXTFN_PYTHON, SYSTEM_CALLS("fcntl.fcntl", "0, fcntl.F_GETFD"), add, false},
};

typedef struct bench_state {
    extfn_host *host;     /* keeps the workers of `warm` and `column` */
    extfn_host *memoizer; /* keeps values */
    extfn_registry *registry;
    extfn_column *numbers[2];
    extfn_column *texts;
    int64_t rows;
} bench_state;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static const bench_function *find(const char *name)
{
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    }
    abort();
}

static extfn_status add_functions(extfn_registry *registry, extfn_error *err)
{
    static const char *const names[] = {"x", "y"};
    extfn_status status = EXTFN_OK;
    for (size_t i = 0; status == EXTFN_OK && i < sizeof(functions) / sizeof(functions[0]); i++) {
        extfn_type type = functions[i].row ? EXTFN_NUMBER : EXTFN_TEXT;
        const extfn_type types[] = {type, type};
        extfn_function_options options = {.struct_size = sizeof(options),
                                          .name = functions[i].name,
                                          .language = functions[i].language,
                                          .body = functions[i].body,
                                          .arg_types = types,
                                          .arg_names = names,
                                          .arg_count = functions[i].row ? 2 : 1,
                                          .return_type = type,
                                          .is_pure = true,
                                          .is_vectorized = functions[i].is_vectorized};
        extfn_function *function = NULL;
        status = extfn_function_new(&options, &function, err);
        if (status == EXTFN_OK)
            status = extfn_registry_register(registry, function, NULL, err);
        extfn_function_unref(function);
    }
    return status;
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
    extfn_host_options options = {.struct_size = sizeof(options)};
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
        status = add_functions(bench->registry, err);
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

static extfn_status call(const bench_state *bench, extfn_host *host, const char *name,
                         extfn_error *err)
{
    const bench_function *function = find(name);
    const extfn_value numbers[] = {extfn_value_number(2), extfn_value_number(3)};
    extfn_value text = {0};
    extfn_value result = {0};
    extfn_status status = extfn_value_text("a", 1, &text, err);
    if (status == EXTFN_OK)
        status = extfn_registry_eval(bench->registry, host, name, function->row ? numbers : &text,
                                     function->row ? 2 : 1, NULL, &result, err);
    if (status == EXTFN_OK && function->row && result.as.number != function->row(2, 3))
        abort();
    extfn_value_clear(&text);
    extfn_value_clear(&result);
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

static extfn_status repeat(const bench_state *bench, extfn_host *host, const char *name,
                           double *ret_seconds, extfn_error *err)
{
    extfn_status status = call(bench, host, name, err);
    double start = now();
    for (int i = 0; status == EXTFN_OK && i < WARM_CALLS; i++)
        status = call(bench, host, name, err);
    *ret_seconds = (now() - start) / WARM_CALLS;
    return status;
}

static extfn_status warm(const bench_state *bench, const char *name, double *ret_seconds,
                         extfn_error *err)
{
    return repeat(bench, bench->host, name, ret_seconds, err);
}

static extfn_status memo(const bench_state *bench, const char *name, double *ret_seconds,
                         extfn_error *err)
{
    return repeat(bench, bench->memoizer, name, ret_seconds, err);
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

static bool is_right(const bench_state *bench, const bench_function *function,
                     const extfn_column *result)
{
    if (extfn_column_error_count(result) != 0)
        return false;
    if (!function->row) {
        int64_t last = bench->rows - 1;
        char text[32];
        (void)snprintf(text, sizeof(text), TEXT_ROW TEXT_END, last);
        extfn_value value = {0};
        bool is_same = extfn_column_get(result, last, &value, NULL) == EXTFN_OK &&
                       strcasecmp(value.as.text.data, text) == 0 /* upper case or not */;
        extfn_value_clear(&value);
        return is_same;
    }
    const double *numbers = extfn_column_numbers(result);
    const double *x = extfn_column_numbers(bench->numbers[0]);
    const double *y = extfn_column_numbers(bench->numbers[1]);
    int64_t row = 0;
    while (row < bench->rows && numbers[row] == function->row(x[row], y[row]))
        row++;
    return row == bench->rows;
}

static extfn_status column_of(const bench_state *bench, size_t workers, const char *name,
                              double *ret_seconds, extfn_error *err)
{
    extfn_status status = call(bench, bench->host, name, err);
    if (status != EXTFN_OK)
        return status;
    const bench_function *known = find(name);
    const extfn_column *const numbers[] = {bench->numbers[0], bench->numbers[1]};
    const extfn_column *const texts[] = {bench->texts};
    extfn_function *function = extfn_registry_get(bench->registry, name);
    extfn_column *result = NULL;
    const extfn_call_options options = {.struct_size = sizeof(options), .workers = workers};
    double start = now();
    status = extfn_host_apply(bench->host, function, known->row ? numbers : texts,
                              known->row ? 2 : 1, bench->rows, &options, &result, err);
    *ret_seconds = now() - start;
    extfn_function_unref(function);
    if (status == EXTFN_OK && !is_right(bench, known, result))
        abort();
    extfn_column_free(result);
    return status;
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
} commands[] = {{"cold", cold},
                {"warm", warm},
                {"memo", memo},
                {"column", column},
                {"shared", shared_column},
                {"confined", confined},
                {"trusted", trusted}};

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
    char *none[] = {NULL};
    bench.rows = argc >= 2 ? strtol(argv[1], NULL, 10) : 0;
    extfn_status status = prepare(&bench, argc >= 2 ? argv + 2 : none, &err);
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
