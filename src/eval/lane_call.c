#include "eval/lane_call.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/limits.h"
#include "eval/lanes.h"
#include "eval/receipt.h"
#include "value/column.h"
#include "worker/outcome.h"

#include <assert.h>
#include <errno.h>

/* ---- Worker and output ---- */

void xf_lane_drop_worker(xf_lane *lane)
{
    xf_receipt_leave(lane->run, lane->worker, lane->cpu_us);
    xf_host_end_worker(lane->run->host, lane->worker);
    lane->worker = NULL;
}

/* Of the call under way. */
static xf_worker *worker_of(const xf_lane *lane)
{
    assert(lane->worker);
    return lane->worker;
}

static void keep_output(xf_lane *lane)
{
    if (lane->is_output_kept)
        return;
    lane->is_output_kept = true;
    const xf_worker *worker = worker_of(lane);
    lane->span->has_printed |= worker->out.total > 0 || worker->err.total > 0;
    xf_batch_keep(&lane->span->out, &worker->out.text);
    xf_batch_keep(&lane->span->err, &worker->err.text);
}

/* The rest of the call is made again. Row `first` was evaluated when the rows before it were read:
 * it goes alone, and what it prints then is known. */
static void keep_output_before(xf_lane *lane)
{
    if (lane->first == 0)
        return;
    xf_worker *worker = worker_of(lane);
    worker->out.text.size = lane->out_before;
    worker->err.text.size = lane->err_before;
    keep_output(lane);
    lane->span->is_next_printed = true;
}

static xf_reply reply_of(const xf_lane *lane)
{
    const xf_worker *worker = worker_of(lane);
    return (xf_reply){
        .map = worker->maps.reply,
        .row_count = worker->exchange.row_count,
        .type = lane->span->result->type,
        .memory_limit = lane->run->host->options.memory_bytes,
    };
}

/* ---- Results ---- */

extfn_status xf_lane_append_refused(xf_lane *lane, int64_t end, extfn_error *err)
{
    const xf_span *span = lane->span;
    return xf_append_refused(&lane->run->arguments, span->base, end, span->result, err);
}

/* Appends rows `first` to `end` of the call, and before each the errors of the rows passed over. */
static extfn_status append_rows(xf_lane *lane, uint32_t first, uint32_t end, extfn_error *err)
{
    xf_reply reply = reply_of(lane);
    uint32_t at = first;
    while (at < end) {
        XF_TRY(xf_lane_append_refused(lane, lane->selected[at], err));
        bool is_one_run = lane->selected[end - 1] - lane->selected[at] == end - 1 - at;
        uint32_t run_end = is_one_run ? end : at + 1;
        while (run_end < end && lane->selected[run_end] == lane->selected[run_end - 1] + 1)
            run_end++;
        uint32_t next = at;
        XF_TRY(xf_reply_decode(&reply, at, run_end, lane->span->result, &next, err));
        at = next;
    }
    return EXTFN_OK;
}

/* Smaller calls find the row that spoils one; returns false when there is nothing to halve. A call
 * of which nothing was kept is made again: only for pure functions. */
static bool halve(xf_lane *lane, uint32_t count)
{
    lane->run->take = count > 1 ? count / 2 : 1;
    return count > 1;
}

/* A function that ends its worker whatever its row is would cost a start for each. Of a row that
 * takes too long the limit is what it costs. */
static extfn_status judge_function(const xf_lane *lane, const extfn_error *failure,
                                   extfn_error *err)
{
    xf_batch *run = lane->run;
    xf_span *span = lane->span;
    xf_lanes *state = run->state;
    if (failure->status == EXTFN_ETIMEOUT)
        return EXTFN_OK;
    XF_TRY(xf_streak_add_deadly(&span->deadly, xf_span_next_row(span) - 1, err));
    unsigned before = state->first == span ? run->deadly_rows : 0;
    if (xf_streak_end(&span->deadly, before) >= XF_DEADLY_ROW_LIMIT &&
        xf_batch_last_straw(run, &span->deadly, before) >= 0)
        xf_lanes_stop(state, span);
    return EXTFN_OK;
}

/* The row fails, and its worker ends: one that forges an answer loses its own row only. */
static extfn_status lose_worker(xf_lane *lane, uint32_t at, const extfn_error *failure,
                                extfn_error *err)
{
    keep_output(lane);
    extfn_status status = xf_lane_append_refused(lane, lane->selected[at], err);
    if (status == EXTFN_OK)
        status = xf_column_append_failure(lane->span->result, EXTFN_KIND_CUSTOM, failure->status,
                                          failure->message, err);
    xf_lane_drop_worker(lane);
    lane->deaths = 0;
    lane->run->rows_lost++;
    return status == EXTFN_OK ? judge_function(lane, failure, err) : status;
}

static extfn_status decode_done(xf_lane *lane, uint32_t first, uint32_t count, extfn_error *err)
{
    xf_batch *run = lane->run;
    const extfn_column *result = lane->span->result;
    size_t size_before = xf_column_text_size(result);
    extfn_error failure = {0};
    extfn_status status = append_rows(lane, first, count, &failure);
    run->text_size += xf_column_text_size(result) - size_before;
    XF_TRY(xf_batch_judge_size(run, run->text_size, err));
    if (status == EXTFN_OK && first < count)
        xf_streak_add_other(&lane->span->deadly);
    if (status == EXTFN_OK)
        return EXTFN_OK;
    if (status != EXTFN_ERUNTIME) {
        if (err)
            *err = failure;
        return status;
    }
    uint32_t at = first;
    while (at < count && lane->selected[at] < xf_span_next_row(lane->span))
        at++;
    if (at > first)
        xf_streak_add_other(&lane->span->deadly);
    return lose_worker(lane, at, &failure, err);
}

/* ---- Events of a call ---- */

/* Of the rows before these one may fail the batch for a reason of its own. */
static extfn_status refuse_batch(const xf_lane *lane, extfn_error *err)
{
    xf_reply reply = reply_of(lane);
    XF_TRY(xf_reply_message(&reply, &lane->span->refusal, err));
    xf_lanes_stop(lane->run->state, lane->span);
    return EXTFN_OK;
}

static extfn_status on_done(xf_lane *lane, extfn_error *err)
{
    xf_batch *run = lane->run;
    lane->deaths = 0;
    bool is_vectorized = extfn_function_is_vectorized(run->function);
    if (is_vectorized && worker_of(lane)->frame.detail == XF_DONE_REFUSED) {
        keep_output(lane);
        return refuse_batch(lane, err);
    }
    xf_reply reply = reply_of(lane);
    if (is_vectorized && lane->first == 0 && xf_reply_is_all_errors(&reply, 0, lane->count) &&
        halve(lane, lane->count))
        return EXTFN_OK;
    keep_output(lane);
    bool is_worn = worker_of(lane)->frame.detail == XF_DONE_WORN;
    uint32_t end = is_worn ? worker_of(lane)->exchange.first_row : lane->count;
    XF_TRY(decode_done(lane, lane->first, end, err));
    lane->rows_called += end;
    if (is_worn)
        xf_lane_drop_worker(lane);
    if (!lane->worker)
        return EXTFN_OK;
    bool has_printed = lane->worker->out.total > 0 || lane->worker->err.total > 0;
    if (is_vectorized)
        run->take = run->take * 2 < run->largest_take ? run->take * 2 : run->largest_take;
    else
        xf_batch_adapt(run, lane->count, xf_clock_now() - lane->begun_us, !has_printed);
    return EXTFN_OK;
}

/* One stream passed its limit: of one row, that is its error; of many, smaller calls tell which. */
static extfn_status on_flood(xf_lane *lane, extfn_error *err)
{
    if (halve(lane, lane->count - lane->first)) {
        keep_output_before(lane);
        xf_lane_drop_worker(lane);
        return EXTFN_OK;
    }
    extfn_error failure = {0};
    (void)xf_fail(&failure, EXTFN_ERUNTIME, "output too large");
    return lose_worker(lane, lane->first, &failure, err);
}

bool xf_lane_has_lost_worker(const xf_lane *lane)
{
    const xf_report *report = &worker_of(lane)->report;
    return report->cause == XF_CAUSE_LOST || report->cause == XF_CAUSE_IDLE ||
           (report->cause == XF_CAUSE_BROKEN && report->os_errno != EPROTO);
}

/* Whether the row under way has no part in the end of its worker, and may be evaluated once more.
 */
static bool is_innocent(const xf_lane *lane)
{
    return !xf_worker_has_begun(worker_of(lane)) ||
           (xf_lane_has_lost_worker(lane) && extfn_function_is_pure(lane->run->function));
}

static extfn_status on_end(xf_lane *lane, extfn_error *err)
{
    xf_batch *run = lane->run;
    extfn_error failure = {0};
    extfn_status why =
        xf_explain_end(run->host, run->arguments.language, worker_of(lane), &failure);
    if (why == EXTFN_ESANDBOX || why == EXTFN_EUNAVAILABLE) {
        if (err)
            *err = failure;
        return why;
    }
    bool is_tried_again = is_innocent(lane) && ++lane->deaths < XF_DEATH_LIMIT;
    if (is_tried_again ||
        (extfn_function_is_vectorized(run->function) && halve(lane, lane->count - lane->first))) {
        keep_output_before(lane);
        xf_lane_drop_worker(lane);
        return EXTFN_OK;
    }
    xf_reply reply = reply_of(lane);
    uint32_t done = xf_reply_done(&reply, lane->first, lane->count);
    keep_output(lane);
    XF_TRY(decode_done(lane, lane->first, done, err));
    lane->rows_called += done;
    if (!lane->worker || done == lane->count) {
        xf_lane_drop_worker(lane);
        return EXTFN_OK;
    }
    return lose_worker(lane, done, &failure, err);
}

static extfn_status on_full(xf_lane *lane, extfn_error *err)
{
    uint32_t next = worker_of(lane)->exchange.first_row;
    XF_TRY(decode_done(lane, lane->first, next, err));
    lane->first = next;
    if (lane->worker) {
        lane->out_before = lane->worker->out.text.size;
        lane->err_before = lane->worker->err.text.size;
        xf_worker_continue(lane->worker);
        lane->state = XF_LANE_CALL;
    }
    return EXTFN_OK;
}

/* ---- The call ---- */

void xf_call_begin(xf_lane *lane)
{
    const xf_arguments *arguments = &lane->run->arguments;
    xf_rows rows = {.columns = arguments->columns,
                    .column_count = arguments->column_count,
                    .rows = lane->selected,
                    .count = lane->count};
    xf_rows_encode(&rows, lane->worker->maps.request);
    lane->begun_us = xf_clock_now();
    if (lane->run->work_us == 0)
        lane->run->work_us = lane->begun_us;
    lane->is_output_kept = lane->span->is_next_printed;
    lane->span->is_next_printed = false;
    lane->first = 0;
    lane->state = XF_LANE_CALL;
    xf_worker_begin_call(lane->worker, lane->count, lane->run->limit_us);
}

/* Free again, but for a call that goes on. */
extfn_status xf_call_hear(xf_lane *lane, xf_event event, extfn_error *err)
{
    lane->state = XF_LANE_FREE;
    switch (event) {
    case XF_EVENT_FULL:
        return on_full(lane, err);
    case XF_EVENT_DONE:
        return on_done(lane, err);
    case XF_EVENT_FLOODED:
        return on_flood(lane, err);
    case XF_EVENT_ENDED:
    case XF_EVENT_READY: /* not in answer to a call: frame.c */
    case XF_EVENT_FAILED:
    case XF_EVENT_CANCEL:
    case XF_EVENT_NONE:
    default:
        return on_end(lane, err);
    }
}

int64_t xf_lane_rows_done(const xf_lane *lane)
{
    if (lane->state != XF_LANE_CALL)
        return lane->rows_called;
    xf_reply reply = reply_of(lane);
    return lane->rows_called + xf_reply_done(&reply, lane->first, lane->count);
}
