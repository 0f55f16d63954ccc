#include "eval/lane.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "eval/lane_call.h"
#include "eval/receipt.h"

/* From so many rows on, all calls of a worker together, compiling what serves them takes less time
 * than it saves. */
#define MANY_ROWS 128

/* ---- Worker ---- */

static void take_worker(xf_lane *lane, xf_worker *worker, bool is_warm)
{
    lane->worker = worker;
    lane->cpu_us = xf_receipt_take(lane->run, worker, is_warm);
    lane->run->is_unsandboxed |= worker->confinement == XF_UNCONFINED;
}

static extfn_status pass_on(extfn_status status, const extfn_error *failure, extfn_error *err)
{
    if (err)
        *err = *failure;
    return status;
}

static extfn_status start_worker(xf_lane *lane, extfn_error *err)
{
    xf_batch *run = lane->run;
    xf_worker *worker =
        lane->is_waived ? NULL : xf_acquire_warm(run->host, run->function, &lane->turn);
    if (worker) {
        take_worker(lane, worker, true);
        return EXTFN_OK;
    }
    lane->begun_us = xf_clock_now();
    extfn_error failure = {0};
    extfn_status status =
        xf_acquire_begin(run->host, run->function, lane->is_waived, &lane->turn, &worker, &failure);
    if (status != EXTFN_OK && xf_may_waive(run->host, &failure) && !lane->is_waived) {
        lane->is_waived = true;
        status = xf_acquire_begin(run->host, run->function, true, &lane->turn, &worker, &failure);
    }
    if (status != EXTFN_OK)
        return pass_on(status, &failure, err);
    if (!worker) {
        lane->state = XF_LANE_WAIT;
        lane->retry_us = lane->begun_us + XF_ROOM_RETRY_US;
        return EXTFN_OK;
    }
    take_worker(lane, worker, false);
    lane->state = XF_LANE_SETUP;
    return EXTFN_OK;
}

static extfn_status on_setup(xf_lane *lane, xf_event event, extfn_error *err)
{
    xf_batch *run = lane->run;
    lane->state = XF_LANE_FREE;
    extfn_error failure = {0};
    extfn_status status =
        xf_acquire_settle(run->host, run->function, lane->worker, event, &failure);
    bool was_spare = lane->worker->started_us < lane->begun_us;
    xf_host_leave_line(run->host, &lane->turn);
    if (status == EXTFN_OK && !was_spare)
        xf_host_note_start(run->host, run->arguments.language->id, xf_clock_now() - lane->begun_us);
    if (status == EXTFN_OK)
        return EXTFN_OK;
    bool may_be_innocent = was_spare || xf_lane_has_lost_worker(lane);
    bool is_tried_again =
        event == XF_EVENT_ENDED && may_be_innocent && ++lane->deaths < XF_DEATH_LIMIT;
    xf_lane_drop_worker(lane);
    if (is_tried_again)
        return EXTFN_OK;
    if (!xf_may_waive(run->host, &failure) || lane->is_waived)
        return pass_on(status, &failure, err);
    lane->is_waived = true;
    return EXTFN_OK;
}

static bool is_to_compile(const xf_lane *lane)
{
    const xf_worker *worker = lane->worker;
    return worker->ready & XF_READY_LAZY && !lane->is_left_lazy &&
           worker->rows_sent + lane->count >= MANY_ROWS;
}

/* In the time of a start, not of a row. A worker that does not come through it is replaced. */
static void on_compile(xf_lane *lane, xf_event event)
{
    lane->state = XF_LANE_FREE;
    lane->is_left_lazy = event != XF_EVENT_READY || lane->worker->ready & XF_READY_LAZY;
    if (event != XF_EVENT_READY)
        xf_lane_drop_worker(lane);
}

static void begin_compile(xf_lane *lane)
{
    lane->state = XF_LANE_COMPILE;
    xf_worker_begin_compile(lane->worker, lane->run->host->options.start_timeout_us);
}

/* ---- Going on ---- */

/* Not one that has yet to do something, nor that of an impure function, which has one process for a
 * batch. */
static bool is_to_replace(const xf_lane *lane)
{
    const xf_batch *run = lane->run;
    return lane->worker && lane->worker->calls_sent > 0 && extfn_function_is_pure(run->function) &&
           xf_is_worn(run->host, lane->worker);
}

/* One step further; nothing is under way. */
static extfn_status advance(xf_lane *lane, extfn_error *err)
{
    xf_batch *run = lane->run;
    xf_arguments within = run->arguments;
    within.rows = lane->span->end;
    int64_t end = 0;
    uint32_t take = lane->span->is_next_printed ? 1 : run->take;
    lane->count = xf_select(&within, xf_span_next_row(lane->span), take, lane->selected, &end);
    if (lane->count == 0)
        return xf_lane_append_refused(lane, end, err);
    if (is_to_replace(lane))
        xf_lane_drop_worker(lane);
    if (!lane->worker)
        XF_TRY(start_worker(lane, err));
    if (lane->state != XF_LANE_FREE)
        return EXTFN_OK;
    if (is_to_compile(lane))
        begin_compile(lane);
    else
        xf_call_begin(lane);
    return EXTFN_OK;
}

static extfn_status go_on(xf_lane *lane, extfn_error *err)
{
    while (lane->state == XF_LANE_FREE && !lane->span->is_stopped &&
           xf_span_next_row(lane->span) < lane->span->end)
        XF_TRY(advance(lane, err));
    if (lane->state == XF_LANE_FREE)
        lane->span = NULL;
    return EXTFN_OK;
}

/* ---- The lane ---- */

extfn_status xf_lane_open(xf_lane *lane, xf_worker *warm, extfn_error *err)
{
    if (warm)
        take_worker(lane, warm, true);
    lane->selected = xf_realloc_array(NULL, lane->run->largest_take, sizeof(*lane->selected));
    return lane->selected ? EXTFN_OK : xf_fail_oom(err);
}

extfn_status xf_lane_begin(xf_lane *lane, xf_span *span, extfn_error *err)
{
    lane->span = span;
    return go_on(lane, err);
}

extfn_status xf_lane_retry(xf_lane *lane, extfn_error *err)
{
    lane->state = XF_LANE_FREE;
    return go_on(lane, err);
}

extfn_status xf_lane_hear(xf_lane *lane, xf_event event, extfn_error *err)
{
    if (event == XF_EVENT_NONE)
        return EXTFN_OK;
    if (lane->state == XF_LANE_CALL)
        XF_TRY(xf_call_hear(lane, event, err));
    else if (lane->state == XF_LANE_SETUP)
        XF_TRY(on_setup(lane, event, err));
    else if (lane->state == XF_LANE_COMPILE)
        on_compile(lane, event);
    return go_on(lane, err);
}

void xf_lane_close(xf_lane *lane, bool is_done)
{
    xf_batch *run = lane->run;
    bool is_idle = lane->worker && lane->state == XF_LANE_FREE;
    xf_host_leave_line(run->host, &lane->turn);
    xf_receipt_leave(run, lane->worker, lane->cpu_us);
    if (is_done && is_idle)
        xf_release(run->host, run->function, lane->worker);
    else
        xf_host_end_worker(run->host, lane->worker);
    lane->worker = NULL;
    xf_free(lane->selected);
    lane->selected = NULL;
    lane->state = XF_LANE_CLOSED;
}
