/* poison [ROWS [KIND]]: what rows cost that end their worker, hang for their whole limit of 1 s, or
 * exhaust memory, among ROWS (1,000,000) that do not; for 1, 2 and 8 workers, each beside the same
 * rows without them, with every row looked at. Then how late a batch ends after its deadline. With
 * a KIND only that. Exit status 1: a row was wrong; 2: a mark was missed.
 * SPDX-License-Identifier: MIT */
#include <extfn/extfn.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LIMIT_US 1000000
#define DEADLINE_US 1000000
#define STARTS 9 /* measured */
#define MEMORY (UINT64_C(64) << 20)
#define DEADLINE_MARK 0.25
#define COST_MARK 1.5

typedef struct kind {
    const char *name;
    const char *act;     /* what a bad row does */
    const char *message; /* as far as it is always the same */
    int64_t bad;         /* how many rows, evenly spread */
    double seconds;      /* that one takes by itself */
    bool is_deadly;      /* costs a start */
    bool has_mark;
} kind;

/* What imports the means to end its process has its world looked after for each row, which hides
 * what a start costs: so the bad row crashes. */
static const kind kinds[] = {
    {"kill",
     "f = lambda: 0\n"
     "    code = bytes([144, 127, 144, 255, 144, 255, 100, 255, 83, 0])\n"
     "    f.__code__ = f.__code__.replace(co_code=code)\n"
     "    f()",
     "function died: signal 11 (SIGSEGV)", 100, 0, true, true},
    {"hang", "while True: pass", "function timed out after 1s", 20, LIMIT_US / 1e6, true, false},
    {"memory", "kept = []\n    while True: kept.append(bytes(1000))",
     "memory limit of 64 MiB reached", 20, 0, false, false},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const size_t worker_counts[] = {1, 2, 8};
#define COUNTS (sizeof(worker_counts) / sizeof(worker_counts[0]))

static const char run_of_rows[] = "while True: pass"; /* for the deadline: one row has it all, */
static const char many_rows[] = "import time\ntime.sleep(0.001)\nresult = x"; /* or many do */

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void give_up(const char *what, const extfn_error *err)
{
    (void)fprintf(stderr, "poison: %s: %s\n", what, err->message);
    exit(1); /* NOLINT(concurrency-mt-unsafe): one thread */
}

static extfn_host *new_host(void)
{
    const extfn_host_options options = {.struct_size = sizeof(options), .memory_bytes = MEMORY};
    extfn_host *host = NULL;
    extfn_error err = {0};
    if (extfn_host_new(&options, &host, &err) != EXTFN_OK)
        give_up("host", &err);
    return host;
}

static extfn_function *new_function(const char *body)
{
    static const extfn_type types[] = {EXTFN_NUMBER};
    static const char *const names[] = {"x"};
    const extfn_function_options options = {
        .struct_size = sizeof(options),
        .name = "f",
        .language = EXTFN_PYTHON,
        .body = body,
        .body_size = strlen(body),
        .arg_types = types,
        .arg_names = names,
        .arg_count = 1,
        .return_type = EXTFN_NUMBER,
        .is_pure = true,
    };
    extfn_function *function = NULL;
    extfn_error err = {0};
    if (extfn_function_new(&options, &function, &err) != EXTFN_OK)
        give_up("function", &err);
    return function;
}

static extfn_column *count_up(int64_t rows)
{
    double *numbers = malloc((size_t)rows * sizeof(*numbers));
    extfn_column *column = NULL;
    extfn_error err = {0};
    for (int64_t i = 0; numbers && i < rows; i++)
        numbers[i] = (double)i;
    if (!numbers || extfn_column_new_numbers(numbers, rows, &column, &err) != EXTFN_OK)
        give_up("column", &err);
    free(numbers);
    return column;
}

/* ---- One batch ---- */

typedef struct outcome {
    double seconds;
    uint64_t starts;
    extfn_status status;
    extfn_column *result;
} outcome;

static outcome apply(const char *body, const extfn_column *column, size_t workers,
                     int64_t deadline_us)
{
    extfn_host *host = new_host();
    extfn_function *function = new_function(body);
    const extfn_call_options options = {
        .struct_size = sizeof(options),
        .timeout_us = deadline_us ? 60 * LIMIT_US : LIMIT_US,
        .deadline_us = deadline_us,
        .workers = workers,
    };
    outcome got = {0};
    extfn_error err = {0};
    double begun = now();
    got.status = extfn_host_apply(host, function, &column, 1, extfn_column_rows(column), &options,
                                  &got.result, &err);
    got.seconds = now() - begun;
    if (got.status != (deadline_us ? EXTFN_ETIMEOUT : EXTFN_OK))
        give_up("batch", &err);
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(host, &stats);
    got.starts = stats.workers_started;
    extfn_function_unref(function);
    extfn_host_free(host);
    return got;
}

static bool is_right(const extfn_column *result, int64_t row, const char *message)
{
    if (!message)
        return !extfn_column_is_error(result, row) &&
               extfn_column_numbers(result)[row] == 2 * (double)row;
    extfn_value value = {0};
    bool is_told = extfn_column_is_error(result, row) &&
                   extfn_column_get(result, row, &value, NULL) == EXTFN_OK &&
                   strncmp(value.as.error.message, message, strlen(message)) == 0;
    if (value.type == EXTFN_ERROR && !is_told)
        (void)fprintf(stderr, "poison: %s\n", value.as.error.message);
    extfn_value_clear(&value);
    return is_told;
}

/* Every `step`th row is bad, from the middle of the first step on; 0: none. */
static void look_at_rows(const extfn_column *result, int64_t step, const char *message)
{
    int64_t rows = extfn_column_rows(result);
    for (int64_t row = 0; row < rows; row++) {
        bool is_bad = step > 0 && row % step == step / 2;
        if (!is_right(result, row, is_bad ? message : NULL)) {
            (void)fprintf(stderr, "poison: row %lld is wrong\n", (long long)row);
            exit(1); /* NOLINT(concurrency-mt-unsafe): one thread */
        }
    }
}

static double timed_rows(const kind *what, const extfn_column *column, size_t workers, bool is_bad,
                         uint64_t *ret_starts)
{
    int64_t step = extfn_column_rows(column) / what->bad;
    char body[256];
    (void)snprintf(body, sizeof(body), "if x %% %lld == %lld:\n    %s\nresult = 2 * x",
                   (long long)step, (long long)(is_bad ? step / 2 : -1), what->act);
    outcome got = apply(body, column, workers, 0);
    look_at_rows(got.result, is_bad ? step : 0, what->message);
    extfn_column_free(got.result);
    *ret_starts = got.starts;
    return got.seconds;
}

/* ---- Tables ---- */

static int compare(const void *a, const void *b)
{
    const double *left = a;
    const double *right = b;
    return (*left > *right) - (*left < *right);
}

/* Of the seconds of a first call of one row. */
static double median_start(void)
{
    extfn_column *row = count_up(1);
    double seconds[STARTS];
    for (int i = 0; i < STARTS; i++) {
        outcome got = apply("result = 2 * x", row, 1, 0);
        seconds[i] = got.seconds;
        extfn_column_free(got.result);
    }
    extfn_column_free(row);
    qsort(seconds, STARTS, sizeof(seconds[0]), compare);
    return seconds[STARTS / 2];
}

/* Beside it a start, measured at the same time: noise hits both. */
static bool show_kind(const kind *what, const extfn_column *column, size_t workers)
{
    uint64_t starts = 0;
    double clean = timed_rows(what, column, workers, false, &starts);
    double start = median_start();
    double bad = timed_rows(what, column, workers, true, &starts);
    double cost = what->seconds + (what->is_deadly ? start : 0);
    double expected = clean + (double)what->bad * cost;
    bool is_met = !what->has_mark || bad <= COST_MARK * expected;
    (void)printf("%-8s %7zu %5lld %7llu %8.1f %8.2f %8.2f", what->name, workers,
                 (long long)what->bad, (unsigned long long)starts, start * 1e3, clean, bad);
    if (what->is_deadly) /* what else a bad row costs is its own affair */
        (void)printf(" %9.2f %6.2f%s", expected, bad / expected, is_met ? "" : "  over the mark");
    (void)printf("\n");
    (void)fflush(stdout);
    return is_met;
}

static bool show_deadline(const char *name, const char *body, const extfn_column *column,
                          size_t workers)
{
    outcome got = apply(body, column, workers, DEADLINE_US);
    double late = got.seconds - DEADLINE_US / 1e6;
    bool is_met = late <= DEADLINE_MARK;
    (void)printf("%-8s %7zu %7.0f%s\n", name, workers, late * 1e3, is_met ? "" : "  over the mark");
    return is_met;
}

static bool show_kinds(const char *only, const extfn_column *column)
{
    bool is_met = true;
    if (only && strcmp(only, "deadline") == 0)
        return true;
    (void)printf("%-8s %7s %5s %7s %8s %8s %8s %9s %6s\n", "kind", "workers", "bad", "starts",
                 "start ms", "clean s", "bad s", "clean+ s", "ratio");
    for (size_t i = 0; i < KINDS; i++) {
        for (size_t j = 0; j < COUNTS && (!only || strcmp(only, kinds[i].name) == 0); j++)
            is_met = show_kind(&kinds[i], column, worker_counts[j]) && is_met;
    }
    return is_met;
}

static bool show_deadlines(const extfn_column *column)
{
    bool is_met = true;
    (void)printf("\n%-8s %7s %7s\n", "deadline", "workers", "late ms");
    for (size_t j = 0; j < COUNTS; j++) {
        is_met = show_deadline("one row", run_of_rows, column, worker_counts[j]) && is_met;
        is_met = show_deadline("rows", many_rows, column, worker_counts[j]) && is_met;
    }
    return is_met;
}

int main(int argc, char **argv)
{
    long long rows = argc > 1 ? atoll(argv[1]) : 1000000; /* NOLINT(cert-err34-c) */
    const char *only = argc > 2 ? argv[2] : NULL;
    if (rows < 1000) {
        (void)fprintf(stderr, "poison: at least 1000 rows\n");
        return 1;
    }
    extfn_column *column = count_up(rows);
    bool is_met = show_kinds(only, column);
    if (!only || strcmp(only, "deadline") == 0)
        is_met = show_deadlines(column) && is_met;
    extfn_column_free(column);
    return is_met ? 0 : 2;
}
