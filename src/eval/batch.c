#include "eval/batch.h"

#include "base/auto.h"
#include "base/limits.h"
#include "eval/failures.h"
#include "eval/receipt.h"
#include "value/column.h"

#include <poll.h>

/* What is handed out first is little, since a row may take long; it grows by the step to what is
 * quickest. */
#define FIRST_TAKE 32U
#define LARGEST_TAKE 65536U
#define GROWTH 4

#define QUICK_STEP_US 20000
#define SLOW_STEP_US 200000

/* Fewer are not worth a look whether they repeat. */
#define FEWEST_ROWS 64

void xf_batch_adapt(xf_batch *run, int64_t count, int64_t elapsed_us, bool may_grow)
{
    if (elapsed_us > SLOW_STEP_US)
        run->take = count > 1 ? (uint32_t)(count / 2) : 1;
    else if (elapsed_us < QUICK_STEP_US && may_grow && run->take < run->largest_take / GROWTH)
        run->take *= GROWTH;
    else if (elapsed_us < QUICK_STEP_US && may_grow)
        run->take = run->largest_take;
}

int64_t xf_batch_last_straw(const xf_batch *run, const xf_streak *streak, unsigned before)
{
    return run->is_never_given_up ? -1 : xf_streak_last_straw(streak, before, run->arguments.rows);
}

extfn_status xf_batch_give_up(const char *reason, extfn_error *err)
{
    return xf_fail(err, EXTFN_ERUNTIME, "function ends its worker on every row (%u in a row): %s",
                   XF_DEADLY_ROW_LIMIT, reason);
}

extfn_status xf_batch_judge_size(const xf_batch *run, uint64_t size, extfn_error *err)
{
    return size > run->result_limit ? xf_fail_results(err, run->result_limit) : EXTFN_OK;
}

void xf_batch_keep(xf_buf *kept, const xf_buf *more)
{
    size_t room = XF_OUTPUT_LIMIT - kept->size;
    /* Out of memory loses what was printed, never a result. */
    (void)!xf_buf_append(kept, more->data, more->size < room ? more->size : room, NULL);
}

void xf_batch_note_stamp(xf_batch *run, xf_wasm_stamp stamp)
{
    bool is_other = run->is_stamped && !xf_wasm_stamp_is_equal(&run->stamp, &stamp);
    run->stamp = is_other ? XF_WASM_NO_STAMP : stamp;
    run->is_stamped = true;
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

const xf_executor *xf_executor_of(const xf_language *language)
{
    return language->is_in_process ? &xf_in_process : &xf_workers;
}

static bool is_canceled(const xf_batch *run)
{
    struct pollfd cancel = {.fd = run->patience.cancel_fd, .events = POLLIN};
    return cancel.fd >= 0 && poll(&cancel, 1, 0) == 1;
}

/* A submitted call was asked for already; others may have been evaluated while it waited, and the
 * file of its module may be another by now. */
static bool recall(xf_batch *run)
{
    if (run->arguments.rows != 1 || !xf_may_recall(run->host, run->function) || is_canceled(run))
        return false;
    bool is_known = xf_recall(run->host, run->function, &run->arguments, run->limit_us,
                              &run->question, run->result, &run->is_unsandboxed);
    run->receipt.memo_hits += is_known;
    return is_known;
}

static bool may_repeat(const xf_batch *run)
{
    return run->arguments.rows >= FEWEST_ROWS && xf_may_recall(run->host, run->function) &&
           !extfn_function_is_vectorized(run->function);
}

static extfn_status make_result(xf_batch *run, extfn_error *err)
{
    XF_TRY(extfn_column_new(extfn_function_return_type(run->function), &run->result, err));
    return reserve(run, err);
}

extfn_status xf_batch_begin(xf_batch *run, extfn_host *host, extfn_function *function,
                            const xf_arguments *arguments, const extfn_call_options *options,
                            const xf_patience *patience, extfn_error *err)
{
    *run = (xf_batch){
        .executor = xf_executor_of(arguments->language),
        .host = host,
        .function = function,
        .arguments = *arguments,
        .options = *options,
        .patience = *patience,
        .limit_us = options->timeout_us > 0 ? options->timeout_us : host->options.timeout_us,
        .is_never_given_up = arguments->are_calls,
        .result_limit = arguments->are_calls ? UINT64_MAX : host->result_limit,
    };
    xf_receipt_begin(run);
    choose_take(run);
    XF_TRY(make_result(run, err));
    if (recall(run))
        return EXTFN_OK;
    if (may_repeat(run))
        run->executor = &xf_distinct;
    return run->executor->begin(run, err);
}

extfn_status xf_batch_begin_again(xf_batch *run, const xf_executor *executor, extfn_error *err)
{
    run->executor = executor;
    run->state = NULL;
    if (extfn_column_rows(run->result) > 0) {
        extfn_column_free(XF_STEAL(run->result));
        XF_TRY(make_result(run, err));
    }
    return executor->begin(run, err);
}

extfn_status xf_batch_begin_part(xf_batch *part, const xf_batch *whole,
                                 const xf_arguments *arguments, extfn_error *err)
{
    *part = (xf_batch){
        .executor = xf_executor_of(arguments->language),
        .host = whole->host,
        .function = whole->function,
        .arguments = *arguments,
        .options = whole->options,
        .patience = whole->patience,
        .limit_us = whole->limit_us,
        .result_limit = whole->result_limit,
        .is_never_given_up = true, /* its rows are not neighbours */
    };
    part->options.on_progress = NULL;
    choose_take(part);
    XF_TRY(make_result(part, err));
    return part->executor->begin(part, err);
}

void xf_batch_end_part(xf_batch *part, xf_batch *whole, bool is_done, extfn_column **ret_result)
{
    part->executor->end(part, is_done);
    xf_receipt_add(whole, part);
    if (part->is_stamped)
        xf_batch_note_stamp(whole, part->stamp);
    whole->is_unsandboxed |= part->is_unsandboxed;
    whole->rows_lost += part->rows_lost;
    xf_buf_clear(&part->out);
    xf_buf_clear(&part->err);
    if (ret_result)
        *ret_result = part->result;
    else
        extfn_column_free(part->result);
    *part = (xf_batch){0};
}

bool xf_batch_is_done(const xf_batch *run)
{
    return extfn_column_rows(run->result) == run->arguments.rows;
}

extfn_status xf_batch_step(xf_batch *run, bool may_wait, extfn_error *err)
{
    XF_TRY(run->executor->step(run, may_wait, err));
    XF_TRY(xf_batch_judge_size(run, xf_column_text_size(run->result), err));
    int64_t done = extfn_column_rows(run->result);
    if (!run->options.on_progress || done <= run->rows_told)
        return EXTFN_OK;
    run->rows_told = done;
    run->options.on_progress(done, run->arguments.rows, run->options.context);
    return EXTFN_OK;
}

void xf_batch_end(xf_batch *run, const extfn_error *failure, extfn_column **ret_result)
{
    run->executor->end(run, !failure);
    xf_recall_tell(run->host, &run->question, !failure && !run->has_printed ? run->result : NULL, 0,
                   run->is_unsandboxed, &run->stamp);
    xf_receipt_hand_over(run);
    xf_failures_tell(run, failure);
    hand_over_output(run);
    xf_buf_clear(&run->out);
    xf_buf_clear(&run->err);
    if (!failure)
        *ret_result = run->result;
    else
        extfn_column_free(run->result);
    run->result = NULL;
}

extfn_status xf_batch_run(extfn_host *host, extfn_function *function,
                          const extfn_column *const *columns, int64_t rows,
                          const extfn_call_options *options, extfn_column **ret_result,
                          extfn_error *err)
{
    const xf_arguments arguments = {
        .language = xf_language_get(extfn_function_language(function)),
        .columns = columns,
        .column_count = extfn_function_arity(function),
        .rows = rows,
    };
    xf_batch run;
    extfn_error own; /* a caller that wants none may still want to be told */
    err = err ? err : &own;
    const xf_patience patience = xf_patience_of(options);
    extfn_status status = xf_batch_begin(&run, host, function, &arguments, options, &patience, err);
    while (status == EXTFN_OK && !xf_batch_is_done(&run))
        status = xf_batch_step(&run, true, err);
    xf_batch_end(&run, status == EXTFN_OK ? NULL : err, ret_result);
    return status;
}
