/* Rows through worker processes: hands them out to lanes, waits for all lanes at once, and puts the
 * results in order. */
#include "eval/workers.h"

#include "base/alloc.h"
#include "base/auto.h"
#include "base/clock.h"
#include "eval/start.h"
#include "value/column.h"

/* A warm worker is worth its waking for so much work, and looked for so often. */
#define WAKE_US 500
#define OPEN_AGAIN_US 50000

/* Of the rows that are left no lane takes a larger share: they end at about the same time. */
#define SHARES 2

/* Nor is a share less than so many rows. */
#define SHARE_ROWS 1024

/* ---- Spans ---- */

/* In the order of the rows, so that the number of workers does not matter. */
static extfn_status judge(xf_batch *run, const xf_span *span, extfn_error *err)
{
    int64_t straw = xf_batch_last_straw(run, &span->deadly, run->deadly_rows);
    run->deadly_rows = xf_streak_end(&span->deadly, run->deadly_rows);
    if (straw >= 0)
        return xf_batch_give_up(xf_column_error_at(span->result, straw - span->base)->message, err);
    return span->refusal.size > 0 ? xf_fail(err, EXTFN_ERUNTIME, "%s", span->refusal.data)
                                  : EXTFN_OK;
}

/* What is decided, as far as nothing before it is missing, becomes part of the batch's result. */
static extfn_status collect(xf_batch *run, extfn_error *err)
{
    xf_lanes *state = run->state;
    while (state->first && (state->first->is_stopped || xf_span_is_decided(state->first))) {
        xf_span *span = state->first;
        xf_batch_keep(&run->out, &span->out);
        xf_batch_keep(&run->err, &span->err);
        run->has_printed |= span->has_printed;
        XF_TRY(judge(run, span, err));
        if (span->result != run->result)
            XF_TRY(xf_column_join(run->result, span->result, err));
        state->first = span->next;
        xf_span_free(span, run->result);
    }
    return EXTFN_OK;
}

static int64_t next_size(const xf_batch *run)
{
    const xf_lanes *state = run->state;
    int64_t size = run->take;
    int64_t left = run->arguments.rows - state->next_row;
    int64_t share = left / (int64_t)(SHARES * state->open);
    if (state->open > 1 && share < size && size > SHARE_ROWS)
        size = share > SHARE_ROWS ? share : SHARE_ROWS;
    return size < left ? size : left;
}

/* Rows that were handed to a lane that did not come to work. */
static xf_span *take_orphan(xf_lanes *state)
{
    for (size_t i = 0; i < state->open; i++) {
        xf_lane *lane = &state->lanes[i];
        if (lane->state == XF_LANE_CLOSED && lane->span)
            return XF_STEAL(lane->span);
    }
    return NULL;
}

static extfn_status cut(xf_batch *run, xf_span **ret_span, extfn_error *err)
{
    xf_lanes *state = run->state;
    int64_t end = state->next_row + next_size(run);
    xf_span *span = NULL;
    XF_TRY(xf_span_new(run->result, state->next_row, end, &span, err));
    *(state->first ? &state->last->next : &state->first) = span;
    state->last = span;
    state->next_row = end;
    *ret_span = span;
    return EXTFN_OK;
}

/* Gives the lane rows until it is busy or there are none. */
static extfn_status hand_out(xf_batch *run, xf_lane *lane, extfn_error *err)
{
    while (lane->state == XF_LANE_FREE) {
        xf_span *span = take_orphan(run->state);
        if (!span && !xf_lanes_have_rows(run))
            break;
        if (!span) {
            XF_TRY(xf_workers_check_patience(run, err));
            XF_TRY(cut(run, &span, err));
        }
        XF_TRY(xf_lane_begin(lane, span, err));
    }
    return EXTFN_OK;
}

/* ---- Lanes ---- */

static extfn_status open_lane(xf_batch *run, xf_lane *lane, xf_worker *warm, extfn_error *err)
{
    xf_lanes *state = run->state;
    if (lane == &state->lanes[state->open])
        state->open++;
    *lane = (xf_lane){.run = run};
    XF_TRY(xf_lane_open(lane, warm, err));
    return hand_out(run, lane, err);
}

/* A lane without room for its worker waits when it is the only one, else the others have its rows.
 */
static extfn_status look_for_room(xf_batch *run, extfn_error *err)
{
    xf_lanes *state = run->state;
    int64_t now_us = xf_clock_now();
    for (size_t i = 0; i < state->open; i++) {
        xf_lane *lane = &state->lanes[i];
        if (lane->state != XF_LANE_WAIT)
            continue;
        if (xf_lanes_have_another(state, lane)) {
            xf_lane_close(lane, false);
            lane->is_put_off = true;
            state->rows_put_off += lane->rows_called;
            lane->rows_called = 0;
        } else if (now_us >= lane->retry_us) {
            XF_TRY(xf_lane_retry(lane, err));
        }
    }
    return EXTFN_OK;
}

/* How long the rows that nobody has would take at the speed of those so far. */
static int64_t time_left(const xf_batch *run, int64_t elapsed_us)
{
    const xf_lanes *state = run->state;
    int64_t done = state->rows_put_off;
    for (size_t i = 0; i < state->open; i++)
        done += xf_lane_rows_done(&state->lanes[i]);
    if (done == 0)
        return INT64_MAX;
    return (int64_t)((double)(run->arguments.rows - state->next_row) * (double)elapsed_us /
                     (double)done);
}

/* Another worker is worth its start once the batch has taken as long as that takes, and will take
 * as long again. */
static extfn_status open_another(xf_batch *run, extfn_error *err)
{
    xf_lanes *state = run->state;
    xf_lane *place = xf_lanes_find_place(state);
    if (!place || !xf_lanes_have_rows(run) || run->work_us == 0)
        return EXTFN_OK;
    int64_t now_us = xf_clock_now();
    if (now_us < state->open_us)
        return EXTFN_OK;
    state->open_us = now_us + OPEN_AGAIN_US;
    int64_t elapsed_us = now_us - run->work_us;
    int64_t left_us = time_left(run, elapsed_us);
    if (elapsed_us < WAKE_US || left_us < WAKE_US)
        return EXTFN_OK;
    int64_t start_us = xf_host_start_time(run->host, run->arguments.language->id);
    xf_worker *warm = xf_acquire_warm(run->host, run->function, NULL);
    if (!warm && elapsed_us < start_us)
        state->open_us = run->work_us + start_us;
    if (!warm && (elapsed_us < start_us || left_us < start_us))
        return EXTFN_OK;
    extfn_status status = open_lane(run, place, warm, err);
    if (status == EXTFN_OK)
        return EXTFN_OK;
    state->is_complete = true;
    return xf_lanes_close(state, place, status, err);
}

/* ---- The batch ---- */

static size_t lane_limit(const xf_batch *run)
{
    size_t most = run->options.workers > 0 ? run->options.workers : run->host->options.workers;
    size_t rows = (size_t)run->arguments.rows;
    if (!extfn_function_is_pure(run->function))
        most = 1; /* a batch is one call, and a call one process */
    return most < rows ? most : rows;
}

/* Of few rows, which may be slow, the first lane does not get all. */
static uint32_t first_share(const xf_batch *run, size_t limit)
{
    size_t share = limit > 1 ? (size_t)run->arguments.rows / (SHARES * limit) : run->take;
    share = share > 0 ? share : 1;
    return share < run->take ? (uint32_t)share : run->take;
}

static extfn_status begin(xf_batch *run, extfn_error *err)
{
    /* An impure row must never run twice, also where its output has to be told from its
     * neighbours'. */
    if (!extfn_function_is_pure(run->function))
        run->largest_take = 1;
    if (extfn_function_is_vectorized(run->function) || run->take > run->largest_take)
        run->take = run->largest_take;
    xf_lanes *state = xf_alloc(sizeof(*state));
    if (!state)
        return xf_fail_oom(err);
    run->state = state;
    state->limit = lane_limit(run);
    if (run->options.chunk_rows == 0 && !extfn_function_is_vectorized(run->function))
        run->take = first_share(run, state->limit);
    if (state->limit == 0)
        return EXTFN_OK;
    state->lanes = xf_realloc_array(NULL, state->limit, sizeof(*state->lanes));
    state->watched =
        xf_realloc_array(NULL, state->limit * XF_WORKER_WATCHED + 1, sizeof(*state->watched));
    if (!state->lanes || !state->watched)
        return xf_fail_oom(err);
    return open_lane(run, &state->lanes[0], NULL, err);
}

static extfn_status step(xf_batch *run, bool may_wait, extfn_error *err)
{
    xf_lanes *state = run->state;
    XF_TRY(xf_workers_wait(run, may_wait, err));
    XF_TRY(look_for_room(run, err));
    for (size_t i = 0; i < state->open; i++)
        XF_TRY(hand_out(run, &state->lanes[i], err));
    XF_TRY(open_another(run, err));
    return collect(run, err);
}

/* All are told to stop before the end of the first is waited for. */
static void stop_all(const xf_lanes *state)
{
    for (size_t i = 0; i < state->open; i++) {
        const xf_lane *lane = &state->lanes[i];
        if (lane->worker && lane->worker->report_size < sizeof(lane->worker->report))
            xf_worker_stop(lane->worker);
    }
}

static void end(xf_batch *run, bool is_done)
{
    xf_lanes *state = run->state;
    if (!state)
        return;
    if (!is_done)
        stop_all(state);
    for (size_t i = 0; i < state->open; i++)
        xf_lane_close(&state->lanes[i], is_done);
    while (state->first) {
        xf_span *span = state->first;
        state->first = span->next;
        xf_span_free(span, run->result);
    }
    xf_free(state->watched);
    xf_free(state->lanes);
    xf_free(state);
    xf_spare_keep(run->host, run->arguments.language);
}

const xf_executor xf_workers = {.begin = begin,
                                .step = step,
                                .watch = xf_workers_watch,
                                .end = end};
