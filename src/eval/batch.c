#include "eval/batch.h"

#include "base/auto.h"
#include "value/column.h"

/* What is handed out first is little, since a row may take long; it grows by the step to what is
 * quickest. */
#define FIRST_TAKE 32U
#define LARGEST_TAKE 65536U
#define GROWTH 4
#define QUICK_STEP_US 20000
#define SLOW_STEP_US 200000

void xf_batch_adapt(xf_batch *run, int64_t count, int64_t elapsed_us, bool may_grow)
{
    if (elapsed_us > SLOW_STEP_US)
        run->take = count > 1 ? (uint32_t)(count / 2) : 1;
    else if (elapsed_us < QUICK_STEP_US && may_grow && run->take < run->largest_take / GROWTH)
        run->take *= GROWTH;
    else if (elapsed_us < QUICK_STEP_US && may_grow)
        run->take = run->largest_take;
}

void xf_batch_keep(xf_buf *kept, const xf_buf *more)
{
    size_t room = XF_OUTPUT_LIMIT - kept->size;
    /* Out of memory loses what was printed, never a result. */
    (void)!xf_buf_append(kept, more->data, more->size < room ? more->size : room, NULL);
}

static void choose_take(xf_batch *run)
{
    int64_t largest = LARGEST_TAKE;
    if (run->options.chunk_rows > 0 && run->options.chunk_rows < XF_ROWS_LIMIT)
        largest = run->options.chunk_rows;
    if (largest > run->arguments.rows && run->arguments.rows > 0)
        largest = run->arguments.rows;
    run->largest_take = (uint32_t)largest;
    run->take =
        run->options.chunk_rows > 0 || largest < FIRST_TAKE ? run->largest_take : FIRST_TAKE;
}

static void hand_over_output(xf_batch *run)
{
    extfn_output *output = run->options.output;
    if (!output)
        return;
    *output = (extfn_output){
        .stdout_data = XF_STEAL(run->out.data),
        .stdout_size = run->out.size,
        .stderr_data = XF_STEAL(run->err.data),
        .stderr_size = run->err.size,
        .is_unsandboxed = run->is_unsandboxed,
    };
}

/* Of a result of fixed width the place of all rows. */
static extfn_status reserve(xf_batch *run, extfn_error *err)
{
    size_t size;
    if (!xf_size_mul((size_t)run->arguments.rows, xf_column_width(run->result->type), &size))
        return xf_fail_oom(err);
    return xf_buf_reserve(&run->result->values, size, err);
}

static extfn_status run_all(xf_batch *run, const xf_executor *executor, extfn_error *err)
{
    int64_t rows = run->arguments.rows;
    XF_TRY(reserve(run, err));
    XF_TRY(executor->begin(run, err));
    while (extfn_column_rows(run->result) < rows) {
        int64_t done = extfn_column_rows(run->result);
        XF_TRY(executor->step(run, err));
        if (run->options.on_progress && extfn_column_rows(run->result) > done)
            run->options.on_progress(extfn_column_rows(run->result), rows, run->options.context);
    }
    return EXTFN_OK;
}

extfn_status xf_batch_run(extfn_host *host, extfn_function *function,
                          const extfn_column *const *columns, int64_t rows,
                          const extfn_call_options *options, extfn_column **ret_result,
                          extfn_error *err)
{
    const xf_language *language = xf_language_get(extfn_function_language(function));
    xf_batch run = {
        .host = host,
        .function = function,
        .arguments = {.language = language,
                      .columns = columns,
                      .column_count = extfn_function_arity(function),
                      .rows = rows},
        .options = *options,
        .patience = xf_patience_of(options),
        .limit_us = options->timeout_us > 0 ? options->timeout_us : host->options.timeout_us,
    };
    choose_take(&run);
    XF_TRY(extfn_column_new(extfn_function_return_type(function), &run.result, err));
    const xf_executor *executor = language->is_in_process ? &xf_in_process : &xf_workers;
    extfn_status status = run_all(&run, executor, err);
    executor->end(&run, status == EXTFN_OK);
    hand_over_output(&run);
    xf_buf_clear(&run.out);
    xf_buf_clear(&run.err);
    if (status != EXTFN_OK) {
        extfn_column_free(run.result);
        return status;
    }
    *ret_result = run.result;
    return EXTFN_OK;
}
