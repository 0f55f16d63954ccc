/* The function is x + y in every language, so that what is measured is the way to it.
 * SPDX-License-Identifier: MIT */
#include "cli/bench.h"

#include "cli/alloc.h"
#include "cli/library.h"

#include <extfn/column.h>

#include <time.h>

#define WARM_SECONDS 0.4
#define FRESH_SECONDS 0.8
#define COLUMN_SECONDS 0.2
#define ROWS_FIRST 1000
#define ROWS_MOST 10000000
#define ROWS_FACTOR 10

static const char module[] = "wat:(module (func (export \"improv_call\") (param f64 f64)"
                             " (result f64) (f64.add (local.get 0) (local.get 1))))";
static const char *const bodies[EXTFN_LANGUAGE_COUNT] = {
    [EXTFN_PYTHON] = "result = x + y",
    [EXTFN_R] = "result <- x + y",
    [EXTFN_JULIA] = "result = x + y",
    [EXTFN_PURE] = "let result = x + y;",
    [EXTFN_WASM] = module,
};

static double now(void)
{
    struct timespec time = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static extfn_status make_function(extfn_language language, bool is_pure,
                                  extfn_function **ret_function, extfn_error *err)
{
    static const char *const names[] = {"x", "y"};
    static const extfn_type types[] = {EXTFN_NUMBER, EXTFN_NUMBER};
    const extfn_function_options options = {.struct_size = sizeof(options),
                                            .name = "bench",
                                            .language = language,
                                            .body = bodies[language],
                                            .arg_types = types,
                                            .arg_names = names,
                                            .arg_count = 2,
                                            .return_type = EXTFN_NUMBER,
                                            .is_pure = is_pure};
    return extfn_function_new(&options, ret_function, err);
}

static extfn_status fail_wrong(double x, double y, double result, extfn_error *err)
{
    return cli_fail(err, EXTFN_ERUNTIME, "%g + %g gave %g", x, y, result);
}

/* ---- Calls ---- */

static extfn_status call_once(extfn_host *host, extfn_function *function,
                              const extfn_call_options *options, double x, extfn_error *err)
{
    const extfn_value args[] = {extfn_value_number(x), extfn_value_number(0.5)};
    extfn_value value = {0};
    CLI_TRY(extfn_host_eval(host, function, args, 2, options, &value, err));
    double result = value.as.number; /* the type was checked */
    extfn_value_clear(&value);
    return result == x + 0.5 ? EXTFN_OK : fail_wrong(x, 0.5, result, err);
}

/* No process serves a module: a fresh engine is a host object of its own. */
static extfn_status call_fresh_engine(const cli_session *session, extfn_function *function,
                                      const extfn_call_options *options, double x, extfn_error *err)
{
    extfn_host *host = NULL;
    CLI_TRY(extfn_host_new(&session->limits, &host, err));
    extfn_status status = call_once(host, function, options, x, err);
    extfn_host_free(host);
    return status;
}

/* At least one, for so many seconds. */
static extfn_status call_often(const cli_session *session, extfn_function *function, double seconds,
                               double *ret_calls, extfn_error *err)
{
    const extfn_call_options options = {.struct_size = sizeof(options), .cancel = session->cancel};
    const bool is_engine_fresh =
        extfn_function_language(function) == EXTFN_WASM && !extfn_function_is_pure(function);
    double start = now();
    double elapsed = 0;
    double count = 0;
    while (count == 0 || elapsed < seconds) {
        CLI_TRY(is_engine_fresh ? call_fresh_engine(session, function, &options, count, err)
                                : call_once(session->host, function, &options, count, err));
        count++;
        elapsed = now() - start;
    }
    *ret_calls = count / elapsed;
    return EXTFN_OK;
}

/* ---- Columns ---- */

static void free_column(extfn_column **slot)
{
    extfn_column_free(*slot);
}

static void free_numbers(double **slot)
{
    cli_free(*slot);
}

static extfn_status make_column(int64_t rows, extfn_column **ret_column, extfn_error *err)
{
    CLI_AUTO(free_numbers)
    double *numbers = cli_realloc_array(NULL, (size_t)rows, sizeof(*numbers));
    if (!numbers)
        return cli_fail_oom(err);
    for (int64_t row = 0; row < rows; row++)
        numbers[row] = 0.5 * (double)row;
    return extfn_column_new_numbers(numbers, rows, ret_column, err);
}

/* Row i is i / 2 twice. */
static extfn_status check_column(const extfn_column *result, extfn_error *err)
{
    const double *numbers = extfn_column_numbers(result);
    const int64_t rows = extfn_column_rows(result);
    if (extfn_column_error_count(result) > 0)
        return cli_fail(err, EXTFN_ERUNTIME, "a row of a column failed");
    for (int64_t row = 0; row < rows; row++) {
        const double half = 0.5 * (double)row;
        if (numbers[row] != half + half)
            return fail_wrong(half, half, numbers[row], err);
    }
    return EXTFN_OK;
}

static extfn_status apply_once(const cli_session *session, extfn_function *function, int64_t rows,
                               double *ret_seconds, extfn_error *err)
{
    const extfn_call_options options = {.struct_size = sizeof(options), .cancel = session->cancel};
    CLI_AUTO(free_column) extfn_column *numbers = NULL;
    CLI_AUTO(free_column) extfn_column *result = NULL;
    CLI_TRY(make_column(rows, &numbers, err));
    const extfn_column *const columns[] = {numbers, numbers};
    double start = now();
    CLI_TRY(extfn_host_apply(session->host, function, columns, 2, rows, &options, &result, err));
    *ret_seconds = now() - start;
    return check_column(result, err);
}

/* Of a short column the start would count more than the rows. */
static extfn_status apply_longer(const cli_session *session, extfn_function *function,
                                 cli_speed *speed, extfn_error *err)
{
    double seconds = 0;
    int64_t rows = ROWS_FIRST;
    CLI_TRY(apply_once(session, function, rows, &seconds, err));
    while (seconds < COLUMN_SECONDS && rows < ROWS_MOST) {
        rows *= ROWS_FACTOR;
        CLI_TRY(apply_once(session, function, rows, &seconds, err));
    }
    speed->column_rows = rows;
    speed->rows = (double)rows / seconds;
    return EXTFN_OK;
}

/* ---- Both ---- */

extfn_status cli_bench_measure(cli_session *session, extfn_language language, cli_speed *ret_speed,
                               extfn_error *err)
{
    CLI_AUTO(cli_function_clear) extfn_function *pure = NULL;
    CLI_AUTO(cli_function_clear) extfn_function *impure = NULL;
    CLI_TRY(make_function(language, true, &pure, err));
    CLI_TRY(make_function(language, false, &impure, err));
    cli_speed speed = {0};
    const extfn_call_options first = cli_session_call(session); /* warms, and notes how it ran */
    CLI_TRY(call_once(session->host, pure, &first, 0, err));
    CLI_TRY(call_often(session, pure, WARM_SECONDS, &speed.calls, err));
    CLI_TRY(apply_longer(session, pure, &speed, err));
    CLI_TRY(call_often(session, impure, FRESH_SECONDS, &speed.fresh_calls, err));
    *ret_speed = speed;
    return EXTFN_OK;
}
