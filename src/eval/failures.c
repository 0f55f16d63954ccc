#include "eval/failures.h"

#include "value/column.h"

static bool has_error_argument(const xf_arguments *arguments, int64_t row)
{
    for (size_t i = 0; i < arguments->column_count; i++) {
        if (extfn_column_is_error(arguments->columns[i], row))
            return true;
    }
    return false;
}

static void tell(const xf_batch *run, int64_t row, const extfn_error *error)
{
    const bool is_alone = run->arguments.rows == 1;
    const extfn_failure failure = {
        .struct_size = sizeof(failure),
        .function = run->function,
        .columns = run->arguments.columns,
        .column_count = run->arguments.column_count,
        .row = row,
        .error = error,
        .timeout_us = run->limit_us,
        .is_output_told = is_alone,
        .stderr_data = is_alone ? run->err.data : NULL,
        .stderr_size = is_alone ? run->err.size : 0,
        .is_unsandboxed = run->is_unsandboxed,
    };
    run->options.on_failure(&failure, run->options.failure_context);
}

static void tell_rows(const xf_batch *run)
{
    const extfn_column *result = run->result;
    for (size_t i = 0; i < result->error_count; i++) {
        const xf_column_error *found = &result->errors[i];
        if (has_error_argument(&run->arguments, found->row))
            continue;
        extfn_error error;
        (void)xf_fail(&error, found->status, "%s", found->message);
        tell(run, found->row, &error);
    }
}

void xf_failures_tell(const xf_batch *run, const extfn_error *failure)
{
    if (!run->options.on_failure)
        return;
    if (!failure) {
        tell_rows(run);
        return;
    }
    int64_t row = 0;
    while (row < run->arguments.rows && has_error_argument(&run->arguments, row))
        row++;
    if (failure->status != EXTFN_ECANCELED && row < run->arguments.rows)
        tell(run, row, failure);
}
