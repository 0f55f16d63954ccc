#include "eval/batch.h"

#include "base/alloc.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/limits.h"
#include "value/column.h"
#include "worker/outcome.h"

#include <assert.h>
#include <string.h>

/* A worker may die by no fault of the row that it has, while idle or from outside; that many are
 * tried for a row. */
#define DEATH_LIMIT 3

/* From so many rows on, all calls of a worker together, compiling what serves them takes less time
 * than it saves. */
#define MANY_ROWS 128

typedef struct workers {
    xf_worker *worker; /* NULL: the next call needs a new one */
    int64_t *selected; /* rows of the call under way */
    unsigned deaths;
    bool is_output_kept; /* that of the call under way */
    bool is_left_lazy;   /* compiling for many rows was of no use */
} workers;

/* ---- Worker and output ---- */

static void drop_worker(xf_batch *run)
{
    workers *state = run->state;
    xf_host_end_worker(run->host, state->worker);
    state->worker = NULL;
}

static void keep_text(xf_buf *kept, const xf_buf *more)
{
    size_t room = XF_OUTPUT_LIMIT - kept->size;
    /* Out of memory loses what was printed, never a result. */
    (void)!xf_buf_append(kept, more->data, more->size < room ? more->size : room, NULL);
}

static void keep_output(xf_batch *run)
{
    workers *state = run->state;
    if (state->is_output_kept)
        return;
    state->is_output_kept = true;
    keep_text(&run->out, &state->worker->out.text);
    keep_text(&run->err, &state->worker->err.text);
}

static xf_reply reply_of(const xf_batch *run)
{
    workers *state = run->state;
    return (xf_reply){
        .map = state->worker->maps.reply,
        .row_count = state->worker->exchange.row_count,
        .type = run->result->type,
        .memory_limit = run->host->options.memory_bytes,
    };
}

/* ---- Results ---- */

/* Appends rows `first` to `end` of the call, and before each the errors of the rows passed over. */
static extfn_status append_rows(xf_batch *run, uint32_t first, uint32_t end, extfn_error *err)
{
    workers *state = run->state;
    xf_reply reply = reply_of(run);
    uint32_t at = first;
    while (at < end) {
        XF_TRY(xf_append_refused(&run->arguments, state->selected[at], run->result, err));
        uint32_t run_end = at + 1;
        while (run_end < end && state->selected[run_end] == state->selected[run_end - 1] + 1)
            run_end++;
        uint32_t next = at;
        XF_TRY(xf_reply_decode(&reply, at, run_end, run->result, &next, err));
        at = next;
    }
    return EXTFN_OK;
}

static extfn_status append_failure(xf_batch *run, uint32_t at, const extfn_error *failure,
                                   extfn_error *err)
{
    workers *state = run->state;
    XF_TRY(xf_append_refused(&run->arguments, state->selected[at], run->result, err));
    return xf_column_append_failure(run->result, EXTFN_KIND_CUSTOM, failure->status,
                                    failure->message, err);
}

/* ---- One call ---- */

/* Smaller calls find the row that spoils one; returns false when there is nothing to halve. A call
 * of which nothing was kept is made again: only for pure functions. */
static bool halve(xf_batch *run, uint32_t count)
{
    run->take = count > 1 ? count / 2 : 1;
    return count > 1;
}

/* A worker that forges an answer loses its own row only. */
static extfn_status lose_worker(xf_batch *run, uint32_t at, const extfn_error *failure,
                                extfn_error *err)
{
    keep_output(run);
    extfn_status status = append_failure(run, at, failure, err);
    drop_worker(run);
    return status;
}

static extfn_status decode_done(xf_batch *run, uint32_t first, uint32_t count, extfn_error *err)
{
    workers *state = run->state;
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
    while (at < count && state->selected[at] < extfn_column_rows(run->result))
        at++;
    return lose_worker(run, at, &failure, err);
}

static extfn_status refuse_batch(xf_batch *run, extfn_error *err)
{
    xf_reply reply = reply_of(run);
    XF_AUTO(xf_buf_clear) xf_buf message = {0};
    XF_TRY(xf_reply_message(&reply, &message, err));
    return xf_fail(err, EXTFN_ERUNTIME, "%s", message.data);
}

static extfn_status on_done(xf_batch *run, uint32_t first, uint32_t count, int64_t begun_us,
                            extfn_error *err)
{
    workers *state = run->state;
    state->deaths = 0;
    bool is_vectorized = extfn_function_is_vectorized(run->function);
    if (is_vectorized && state->worker->frame.detail == XF_DONE_REFUSED) {
        keep_output(run);
        return refuse_batch(run, err);
    }
    xf_reply reply = reply_of(run);
    if (is_vectorized && first == 0 && xf_reply_is_all_errors(&reply, 0, count) &&
        halve(run, count))
        return EXTFN_OK;
    keep_output(run);
    bool is_worn = state->worker->frame.detail == XF_DONE_WORN;
    XF_TRY(decode_done(run, first, is_worn ? state->worker->exchange.first_row : count, err));
    if (is_worn)
        drop_worker(run);
    if (!state->worker)
        return EXTFN_OK;
    bool has_printed = state->worker->out.total > 0 || state->worker->err.total > 0;
    if (is_vectorized)
        run->take = run->take * 2 < run->largest_take ? run->take * 2 : run->largest_take;
    else
        xf_batch_adapt(run, count, xf_clock_now() - begun_us, !has_printed);
    return EXTFN_OK;
}

/* One stream passed its limit: of one row, that is its error; of many, smaller calls tell which. */
static extfn_status on_flood(xf_batch *run, uint32_t first, uint32_t count, extfn_error *err)
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
static bool is_innocent(const xf_batch *run)
{
    workers *state = run->state;
    const xf_worker *worker = state->worker;
    uint32_t cause = worker->report.cause;
    bool was_killed = cause == XF_CAUSE_LOST || cause == XF_CAUSE_BROKEN;
    return !xf_worker_has_begun(worker) || (was_killed && extfn_function_is_pure(run->function));
}

static extfn_status on_end(xf_batch *run, uint32_t first, uint32_t count, extfn_error *err)
{
    workers *state = run->state;
    const xf_worker *worker = state->worker;
    extfn_error failure = {0};
    extfn_status why = xf_explain_end(run->host, run->arguments.language, worker, &failure);
    if (why == EXTFN_ESANDBOX || why == EXTFN_EUNAVAILABLE) {
        if (err)
            *err = failure;
        return why;
    }
    if (is_innocent(run) && ++state->deaths < DEATH_LIMIT) {
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
    if (!state->worker || done == count) {
        drop_worker(run);
        return EXTFN_OK;
    }
    return lose_worker(run, done, &failure, err);
}

static extfn_status on_full(xf_batch *run, uint32_t *first, extfn_error *err)
{
    workers *state = run->state;
    uint32_t next = state->worker->exchange.first_row;
    XF_TRY(decode_done(run, *first, next, err));
    *first = next;
    if (state->worker)
        xf_worker_continue(state->worker);
    return EXTFN_OK;
}

static extfn_status ensure_worker(xf_batch *run, extfn_error *err)
{
    workers *state = run->state;
    if (state->worker)
        return EXTFN_OK;
    xf_worker *worker = NULL;
    XF_TRY(xf_acquire(run->host, run->function, &run->patience, &worker, err));
    assert(worker);
    state->worker = worker;
    run->is_unsandboxed = worker->confinement == XF_UNCONFINED;
    return EXTFN_OK;
}

static bool is_to_compile(const workers *state, uint32_t count)
{
    const xf_worker *worker = state->worker;
    return worker->ready & XF_READY_LAZY && !state->is_left_lazy &&
           worker->rows_sent + count >= MANY_ROWS;
}

/* In the time of a start, not of a row. A worker that does not come through it is replaced. */
static extfn_status compile(xf_batch *run, uint32_t count, extfn_error *err)
{
    workers *state = run->state;
    if (!is_to_compile(state, count))
        return EXTFN_OK;
    xf_worker_begin_compile(state->worker, run->host->options.start_timeout_us);
    xf_event event = xf_worker_step(state->worker, run->patience.until_us, run->patience.cancel_fd);
    if (event == XF_EVENT_READY)
        return EXTFN_OK;
    if (event == XF_EVENT_CANCEL)
        return xf_fail_canceled(err);
    if (event == XF_EVENT_NONE)
        return xf_fail_timeout(err, run->options.deadline_us);
    state->is_left_lazy = true;
    drop_worker(run);
    return ensure_worker(run, err);
}

/* Evaluates the selected rows; decides some of them or makes the next call smaller. */
static extfn_status call(xf_batch *run, uint32_t count, extfn_error *err)
{
    workers *state = run->state;
    XF_TRY(ensure_worker(run, err));
    XF_TRY(compile(run, count, err));
    xf_rows rows = {.columns = run->arguments.columns,
                    .column_count = run->arguments.column_count,
                    .rows = state->selected,
                    .count = count};
    xf_rows_encode(&rows, state->worker->maps.request);
    int64_t begun_us = xf_clock_now();
    state->is_output_kept = false;
    xf_worker_begin_call(state->worker, count, run->limit_us);
    uint32_t first = 0;
    while (state->worker) {
        switch (xf_worker_step(state->worker, run->patience.until_us, run->patience.cancel_fd)) {
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
            return xf_fail_canceled(err);
        case XF_EVENT_NONE:
            return xf_fail_timeout(err, run->options.deadline_us);
        case XF_EVENT_READY:
        case XF_EVENT_FAILED:
            break;
        }
    }
    return EXTFN_OK;
}

/* ---- The batch ---- */

static extfn_status begin(xf_batch *run, extfn_error *err)
{
    /* An impure row must never run twice, also where its output has to be told from its
     * neighbours'. */
    if (!extfn_function_is_pure(run->function))
        run->largest_take = 1;
    if (extfn_function_is_vectorized(run->function) || run->take > run->largest_take)
        run->take = run->largest_take;
    workers *state = xf_alloc(sizeof(*state));
    if (!state)
        return xf_fail_oom(err);
    run->state = state;
    state->selected = xf_realloc_array(NULL, run->largest_take, sizeof(*state->selected));
    return state->selected ? EXTFN_OK : xf_fail_oom(err);
}

static extfn_status step(xf_batch *run, extfn_error *err)
{
    workers *state = run->state;
    int64_t end = 0;
    uint32_t count = xf_select(&run->arguments, extfn_column_rows(run->result), run->take,
                               state->selected, &end);
    return count == 0 ? xf_append_refused(&run->arguments, end, run->result, err)
                      : call(run, count, err);
}

static void end(xf_batch *run, bool is_done)
{
    workers *state = run->state;
    if (!state)
        return;
    if (is_done && state->worker)
        xf_release(run->host, run->function, state->worker);
    else
        xf_host_end_worker(run->host, state->worker);
    xf_free(state->selected);
    xf_free(state);
}

const xf_executor xf_workers = {.begin = begin, .step = step, .end = end};
