/* A batch through a real worker, and what it has to hold. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_BATCH_H
#define XF_TESTS_BATCH_H

#include "support/host.h"

#include <stdlib.h>

typedef struct batch {
    extfn_host *host;
    extfn_function *function;
    extfn_column *result;
    extfn_output output;
    extfn_error err;
    extfn_status status;
} batch;

static inline void batch_clear(batch *run)
{
    extfn_column_free(run->result);
    extfn_output_clear(&run->output);
    extfn_function_unref(run->function);
    extfn_host_free(run->host);
}

/* Rows 0, 1, 2 ... as the one argument of the body. */
static inline extfn_column *count_up(int64_t rows)
{
    double *numbers = calloc((size_t)rows + 1, sizeof(*numbers));
    assert_non_null(numbers);
    for (int64_t i = 0; i < rows; i++)
        numbers[i] = (double)i;
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new_numbers(numbers, rows, &column, NULL), EXTFN_OK);
    free(numbers);
    return column;
}

static inline batch apply_in(const extfn_host_options *host, extfn_language language,
                             const char *signature, const char *body, int64_t rows,
                             extfn_call_options options)
{
    batch run = {.host = test_host(host), .function = test_function(language, signature, body)};
    options.struct_size = sizeof(options);
    options.output = &run.output;
    extfn_column *column = count_up(rows);
    const extfn_column *columns[] = {column};
    run.status =
        extfn_host_apply(run.host, run.function, columns, 1, rows, &options, &run.result, &run.err);
    extfn_column_free(column);
    return run;
}

static inline batch apply(extfn_language language, const char *signature, const char *body,
                          int64_t rows, extfn_call_options options)
{
    return apply_in(NULL, language, signature, body, rows, options);
}

static inline const char *message_at(const batch *run, int64_t row, extfn_value *value)
{
    extfn_value_clear(value);
    assert_int_equal(extfn_column_get(run->result, row, value, NULL), EXTFN_OK);
    return value->type == EXTFN_ERROR ? value->as.error.message : "";
}

/* Every row holds twice its number but those in `bad`, which hold `message`. */
static inline void assert_doubled_but(const batch *run, int64_t rows, const int64_t *bad,
                                      size_t bad_count, const char *message)
{
    if (run->status != EXTFN_OK)
        fail_msg("%s", run->err.message);
    assert_int_equal(extfn_column_rows(run->result), rows);
    assert_int_equal(extfn_column_error_count(run->result), (int64_t)bad_count);
    const double *numbers = extfn_column_numbers(run->result);
    extfn_value value = {0};
    size_t next = 0;
    for (int64_t row = 0; row < rows; row++) {
        if (next < bad_count && row == bad[next]) {
            assert_string_equal(message_at(run, row, &value), message);
            next++;
        } else {
            assert_true(numbers[row] == 2 * (double)row);
        }
    }
    extfn_value_clear(&value);
}

static inline uint64_t workers_started(const batch *run)
{
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(run->host, &stats);
    return stats.workers_started;
}

#endif
