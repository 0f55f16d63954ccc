#include "eval/batch.h"

#include "base/alloc.h"
#include "base/auto.h"
#include "base/clock.h"
#include "eval/acquire.h"
#include "eval/select.h"
#include "value/column.h"
#include "worker/outcome.h"

#include <assert.h>
#include <string.h>

/* Rows of a call: grown while calls are quick, so that cancelling, progress and lost work stay
 * small. */
#define FIRST_TAKE 1024U
#define LARGEST_TAKE 65536U
#define QUICK_CALL_US 20000
#define SLOW_CALL_US 200000

/* A worker may die by no fault of the row that it has, while idle or from outside; that many are
 * tried for a row. */
#define DEATH_LIMIT 3

typedef struct batch {
    extfn_host *host;
    extfn_function *function;
    xf_arguments arguments;
    extfn_call_options options;
    xf_patience patience;
    int64_t limit_us;
    xf_worker *worker; /* NULL: the next call needs a new one */
    int64_t *selected; /* rows of the call under way */
    uint32_t take;     /* most rows of the next call */
    uint32_t largest_take;
    unsigned deaths;
    xf_buf out; /* the first XF_OUTPUT_LIMIT bytes of the batch */
    xf_buf err;
    bool is_unsandboxed;
    bool is_output_kept;  /* that of the call under way */
    extfn_column *result; /* its length is the first row not decided yet */
} batch;

/* ---- Worker and output ---- */

static void drop_worker(batch *run)
{
    xf_worker_free(run->worker);
    run->worker = NULL;
}

static void keep_text(xf_buf *kept, const xf_buf *more)
{
    size_t room = XF_OUTPUT_LIMIT - kept->size;
    /* Out of memory loses what was printed, never a result. */
    (void)!xf_buf_append(kept, more->data, more->size < room ? more->size : room, NULL);
}

static void keep_output(batch *run)
{
    if (run->is_output_kept)
        return;
    run->is_output_kept = true;
    keep_text(&run->out, &run->worker->out.text);
    keep_text(&run->err, &run->worker->err.text);
}

static xf_reply reply_of(const batch *run)
{
    return (xf_reply){
        .map = run->worker->maps.reply,
        .row_count = run->worker->exchange.row_count,
        .type = run->result->type,
        .memory_limit = run->host->options.memory_bytes,
    };
}

/* ---- Results ---- */

/* Appends rows `first` to `end` of the call, and before each the errors of the rows passed over. */
static extfn_status append_rows(batch *run, uint32_t first, uint32_t end, extfn_error *err)
{
    xf_reply reply = reply_of(run);
    uint32_t at = first;
    while (at < end) {
        XF_TRY(xf_append_refused(&run->arguments, run->selected[at], run->result, err));
        uint32_t run_end = at + 1;
        while (run_end < end && run->selected[run_end] == run->selected[run_end - 1] + 1)
            run_end++;
        uint32_t next = at;
        XF_TRY(xf_reply_decode(&reply, at, run_end, run->result, &next, err));
        at = next;
    }
    return EXTFN_OK;
}

static extfn_status append_failure(batch *run, uint32_t at, const extfn_error *failure,
                                   extfn_error *err)
{
    XF_TRY(xf_append_refused(&run->arguments, run->selected[at], run->result, err));
    return xf_column_append_failure(run->result, EXTFN_KIND_CUSTOM, failure->status,
                                    failure->message, err);
}

/* ---- One call ---- */

/* Smaller calls find the row that spoils one; returns false when there is nothing to halve. A call
 * of which nothing was kept is made again: only for pure functions. */
static bool halve(batch *run, uint32_t count)
{
    run->take = count > 1 ? count / 2 : 1;
    return count > 1;
}

static void adapt(batch *run, uint32_t count, int64_t elapsed_us)
{
    bool has_printed = run->worker->out.total > 0 || run->worker->err.total > 0;
    if (elapsed_us > SLOW_CALL_US)
        run->take = count > 1 ? count / 2 : 1;
    else if (elapsed_us < QUICK_CALL_US && !has_printed && run->take < run->largest_take / 2)
        run->take *= 2;
    else if (elapsed_us < QUICK_CALL_US && !has_printed)
        run->take = run->largest_take;
}

/* A worker that forges an answer loses its own row only. */
static extfn_status lose_worker(batch *run, uint32_t at, const extfn_error *failure,
                                extfn_error *err)
{
    keep_output(run);
    extfn_status status = append_failure(run, at, failure, err);
    drop_worker(run);
    return status;
}

static extfn_status decode_done(batch *run, uint32_t first, uint32_t count, extfn_error *err)
{
    extfn_error failure = {0};
    extfn_status status = append_rows(run, first, count, &failure);
    if (status == EXTFN_OK)
        return EXTFN_OK;
    if (status != EXTFN_ERUNTIME) {
        if (err)
            *err = failure;
        return status;
    }
    uint32_t at = first;
    while (at < count && run->selected[at] < extfn_column_rows(run->result))
        at++;
    return lose_worker(run, at, &failure, err);
}

static extfn_status refuse_batch(batch *run, extfn_error *err)
{
    xf_reply reply = reply_of(run);
    XF_AUTO(xf_buf_clear) xf_buf message = {0};
    XF_TRY(xf_reply_message(&reply, &message, err));
    return xf_fail(err, EXTFN_ERUNTIME, "%s", message.data);
}

static extfn_status on_done(batch *run, uint32_t first, uint32_t count, int64_t begun_us,
                            extfn_error *err)
{
    run->deaths = 0;
    if (run->worker->frame.detail == XF_DONE_REFUSED) {
        keep_output(run);
        return refuse_batch(run, err);
    }
    xf_reply reply = reply_of(run);
    bool is_vectorized = extfn_function_is_vectorized(run->function);
    if (is_vectorized && first == 0 && xf_reply_is_all_errors(&reply, 0, count) &&
        halve(run, count))
        return EXTFN_OK;
    keep_output(run);
    XF_TRY(decode_done(run, first, count, err));
    if (run->worker && !is_vectorized)
        adapt(run, count, xf_clock_now() - begun_us);
    else if (run->worker && run->take < run->largest_take)
        run->take = run->take * 2 < run->largest_take ? run->take * 2 : run->largest_take;
    return EXTFN_OK;
}

/* One stream passed its limit: of one row, that is its error; of many, smaller calls tell which. */
static extfn_status on_flood(batch *run, uint32_t first, uint32_t count, extfn_error *err)
{
    if (halve(run, count - first)) {
        drop_worker(run);
        return EXTFN_OK;
    }
    extfn_error failure = {0};
    (void)xf_fail(&failure, EXTFN_ERUNTIME, "output too large");
    return lose_worker(run, first, &failure, err);
}

/* Whether the row under way has no part in the end of its worker, and may be evaluated once more.
 */
static bool is_innocent(const batch *run)
{
    const xf_worker *worker = run->worker;
    uint32_t cause = worker->report.cause;
    bool was_killed = cause == XF_CAUSE_LOST || cause == XF_CAUSE_BROKEN;
    return !xf_worker_has_begun(worker) || (was_killed && extfn_function_is_pure(run->function));
}

static extfn_status on_end(batch *run, uint32_t first, uint32_t count, extfn_error *err)
{
    const xf_worker *worker = run->worker;
    extfn_error failure = {0};
    extfn_status why = xf_explain_end(run->host, run->arguments.language, worker, &failure);
    if (why == EXTFN_ESANDBOX || why == EXTFN_EUNAVAILABLE) {
        if (err)
            *err = failure;
        return why;
    }
    if (is_innocent(run) && ++run->deaths < DEATH_LIMIT) {
        drop_worker(run);
        return EXTFN_OK;
    }
    if (extfn_function_is_vectorized(run->function) && halve(run, count - first)) {
        drop_worker(run);
        return EXTFN_OK;
    }
    xf_reply reply = reply_of(run);
    uint32_t done = xf_reply_done(&reply, first, count);
    keep_output(run);
    XF_TRY(decode_done(run, first, done, err));
    if (!run->worker || done == count) {
        drop_worker(run);
        return EXTFN_OK;
    }
    return lose_worker(run, done, &failure, err);
}

static extfn_status on_full(batch *run, uint32_t *first, extfn_error *err)
{
    uint32_t next = run->worker->exchange.first_row;
    XF_TRY(decode_done(run, *first, next, err));
    *first = next;
    if (run->worker)
        xf_worker_continue(run->worker);
    return EXTFN_OK;
}

static extfn_status ensure_worker(batch *run, extfn_error *err)
{
    if (run->worker)
        return EXTFN_OK;
    xf_worker *worker = NULL;
    XF_TRY(xf_acquire(run->host, run->function, &run->patience, &worker, err));
    assert(worker);
    run->worker = worker;
    run->is_unsandboxed = worker->confinement == XF_UNCONFINED;
    return EXTFN_OK;
}

/* Evaluates the selected rows; decides some of them or makes the next call smaller. */
static extfn_status call(batch *run, uint32_t count, extfn_error *err)
{
    XF_TRY(ensure_worker(run, err));
    xf_rows rows = {.columns = run->arguments.columns,
                    .column_count = run->arguments.column_count,
                    .rows = run->selected,
                    .count = count};
    xf_rows_encode(&rows, run->worker->maps.request);
    int64_t begun_us = xf_clock_now();
    run->is_output_kept = false;
    xf_worker_begin_call(run->worker, count, run->limit_us);
    uint32_t first = 0;
    while (run->worker) {
        switch (xf_worker_step(run->worker, run->patience.until_us, run->patience.cancel_fd)) {
        case XF_EVENT_FULL:
            XF_TRY(on_full(run, &first, err));
            break;
        case XF_EVENT_DONE:
            return on_done(run, first, count, begun_us, err);
        case XF_EVENT_FLOODED:
            return on_flood(run, first, count, err);
        case XF_EVENT_ENDED:
            return on_end(run, first, count, err);
        case XF_EVENT_CANCEL:
            return xf_fail(err, EXTFN_ECANCELED, "canceled by the host");
        case XF_EVENT_NONE:
            return xf_outcome_timeout(run->options.deadline_us, err);
        case XF_EVENT_READY:
        case XF_EVENT_FAILED:
            break;
        }
    }
    return EXTFN_OK;
}

/* ---- The batch ---- */

static extfn_status run_all(batch *run, extfn_error *err)
{
    int64_t rows = run->arguments.rows;
    while (extfn_column_rows(run->result) < rows) {
        int64_t end = 0;
        uint32_t count = xf_select(&run->arguments, extfn_column_rows(run->result), run->take,
                                   run->selected, &end);
        if (count == 0)
            XF_TRY(xf_append_refused(&run->arguments, end, run->result, err));
        else
            XF_TRY(call(run, count, err));
        if (run->options.on_progress)
            run->options.on_progress(extfn_column_rows(run->result), rows, run->options.context);
    }
    return EXTFN_OK;
}

static void choose_take(batch *run)
{
    int64_t largest = LARGEST_TAKE;
    if (run->options.chunk_rows > 0 && run->options.chunk_rows < XF_ROWS_LIMIT)
        largest = run->options.chunk_rows;
    if (largest > run->arguments.rows && run->arguments.rows > 0)
        largest = run->arguments.rows;
    /* An impure row must never run twice, also where its output has to be told from its
     * neighbours'. */
    if (!extfn_function_is_pure(run->function))
        largest = 1;
    run->largest_take = (uint32_t)largest;
    bool is_set = run->options.chunk_rows > 0 || extfn_function_is_vectorized(run->function);
    run->take = is_set || largest < FIRST_TAKE ? run->largest_take : FIRST_TAKE;
}

static void hand_over_output(batch *run)
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

/* The rows, and of a result of fixed width their place. */
static extfn_status reserve(batch *run, extfn_error *err)
{
    run->selected = xf_realloc_array(NULL, run->largest_take, sizeof(*run->selected));
    if (!run->selected)
        return xf_fail_oom(err);
    size_t size;
    if (!xf_size_mul((size_t)run->arguments.rows, xf_column_width(run->result->type), &size))
        return xf_fail_oom(err);
    return xf_buf_reserve(&run->result->values, size, err);
}

extfn_status xf_batch_run(extfn_host *host, extfn_function *function,
                          const extfn_column *const *columns, int64_t rows,
                          const extfn_call_options *options, extfn_column **ret_result,
                          extfn_error *err)
{
    batch run = {
        .host = host,
        .function = function,
        .arguments = {.language = xf_language_get(extfn_function_language(function)),
                      .columns = columns,
                      .column_count = extfn_function_arity(function),
                      .rows = rows},
        .options = *options,
        .patience = xf_patience_of(options),
        .limit_us = options->timeout_us > 0 ? options->timeout_us : host->options.timeout_us,
    };
    choose_take(&run);
    XF_TRY(extfn_column_new(extfn_function_return_type(function), &run.result, err));
    extfn_status status = reserve(&run, err);
    if (status == EXTFN_OK)
        status = run_all(&run, err);
    if (status == EXTFN_OK && run.worker)
        xf_release(host, function, run.worker);
    else
        xf_worker_free(run.worker);
    hand_over_output(&run);
    xf_buf_clear(&run.out);
    xf_buf_clear(&run.err);
    xf_free(run.selected);
    if (status != EXTFN_OK) {
        extfn_column_free(run.result);
        return status;
    }
    *ret_result = run.result;
    return EXTFN_OK;
}
