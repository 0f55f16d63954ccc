#include "eval/workers.h"

#include "base/clock.h"
#include "base/limits.h"

#include <errno.h>

/* For its worker. */
static bool is_waiting(const xf_lane *lane)
{
    return lane->state == XF_LANE_SETUP || lane->state == XF_LANE_COMPILE ||
           lane->state == XF_LANE_CALL;
}

static int64_t wait_until(const xf_batch *run)
{
    const xf_lanes *state = run->state;
    int64_t until_us = run->patience.until_us;
    if (xf_lanes_find_place(state) && xf_lanes_have_rows(run) && run->work_us > 0)
        until_us = xf_clock_earlier(until_us, state->open_us);
    for (size_t i = 0; i < state->open; i++) {
        const xf_lane *lane = &state->lanes[i];
        if (is_waiting(lane))
            until_us = xf_clock_earlier(until_us, xf_worker_look_time(lane->worker));
        if (lane->state == XF_LANE_WAIT)
            until_us = xf_clock_earlier(until_us, lane->retry_us);
    }
    return until_us;
}

static void look(const xf_lanes *state, int64_t now_us)
{
    for (size_t i = 0; i < state->open; i++) {
        if (is_waiting(&state->lanes[i]))
            xf_worker_look(state->lanes[i].worker, now_us);
    }
}

static bool has_lane(const xf_lanes *state, xf_lane_state wanted)
{
    for (size_t i = 0; i < state->open; i++) {
        if (state->lanes[i].state == wanted)
            return true;
    }
    return false;
}

static extfn_status fail_late(const xf_batch *run, extfn_error *err)
{
    if (has_lane(run->state, XF_LANE_WAIT))
        return xf_fail_no_room(err);
    bool is_starting = has_lane(run->state, XF_LANE_SETUP) || has_lane(run->state, XF_LANE_COMPILE);
    if (is_starting && !has_lane(run->state, XF_LANE_CALL))
        return xf_fail(err, EXTFN_ETIMEOUT, "the deadline passed while a worker started");
    return xf_fail_timeout(err, run->options.deadline_us);
}

extfn_status xf_workers_check_patience(const xf_batch *run, extfn_error *err)
{
    const xf_patience *patience = &run->patience;
    struct pollfd cancel = {.fd = patience->cancel_fd, .events = POLLIN};
    if (cancel.fd >= 0 && poll(&cancel, 1, 0) > 0)
        return xf_fail_canceled(err);
    bool is_late = patience->until_us >= 0 && xf_clock_now() >= patience->until_us;
    return is_late ? fail_late(run, err) : EXTFN_OK;
}

/* Fills `watched` with what there is to hear; 0 when nothing is under way. */
static nfds_t fill_watched(const xf_batch *run)
{
    const xf_lanes *state = run->state;
    bool is_busy = false;
    for (size_t i = 0; i < state->open; i++) {
        const xf_lane *lane = &state->lanes[i];
        struct pollfd *watched = &state->watched[i * XF_WORKER_WATCHED];
        for (size_t j = 0; j < XF_WORKER_WATCHED; j++)
            watched[j] = (struct pollfd){.fd = -1};
        is_busy |= is_waiting(lane) || lane->state == XF_LANE_WAIT;
        if (is_waiting(lane))
            xf_worker_watch(lane->worker, watched);
    }
    size_t count = state->open * XF_WORKER_WATCHED;
    state->watched[count] = (struct pollfd){.fd = run->patience.cancel_fd, .events = POLLIN};
    return is_busy ? count + 1 : 0;
}

static extfn_status hear(xf_batch *run, extfn_error *err)
{
    xf_lanes *state = run->state;
    size_t open = state->open;
    for (size_t i = 0; i < open; i++) {
        xf_lane *lane = &state->lanes[i];
        if (!is_waiting(lane))
            continue;
        bool is_setup = lane->state == XF_LANE_SETUP;
        xf_event event = xf_worker_hear(lane->worker, &state->watched[i * XF_WORKER_WATCHED]);
        extfn_status status = xf_lane_hear(lane, event, err);
        if (status != EXTFN_OK && is_setup)
            status = xf_lanes_close(state, lane, status, err);
        XF_TRY(status);
    }
    return state->watched[open * XF_WORKER_WATCHED].revents ? xf_fail_canceled(err) : EXTFN_OK;
}

extfn_status xf_workers_wait(xf_batch *run, bool may_wait, extfn_error *err)
{
    nfds_t count = fill_watched(run);
    if (count == 0)
        return EXTFN_OK;
    const xf_lanes *state = run->state;
    int64_t until_us = may_wait ? wait_until(run) : 0;
    int ready = poll(state->watched, count, xf_clock_wait_ms(until_us));
    if (ready < 0 && errno != EINTR)
        return xf_fail_os(err, errno, "wait for workers");
    if (ready > 0)
        XF_TRY(hear(run, err));
    int64_t now_us = xf_clock_now();
    if (run->patience.until_us >= 0 && now_us >= run->patience.until_us)
        return fail_late(run, err);
    look(state, now_us);
    return EXTFN_OK;
}

extfn_status xf_workers_watch(const xf_batch *run, xf_watch *watch, extfn_error *err)
{
    const xf_lanes *state = run->state;
    size_t count = fill_watched(run);
    for (size_t i = 0; i < count; i++) {
        if (state->watched[i].fd < 0)
            continue;
        bool is_of_lane = i < state->open * XF_WORKER_WATCHED;
        pid_t owner = is_of_lane ? state->lanes[i / XF_WORKER_WATCHED].worker->supervisor : 0;
        XF_TRY(xf_watch_add(watch, (xf_watched){state->watched[i].fd, owner}, err));
    }
    watch->until_us = xf_clock_earlier(watch->until_us, count > 0 ? wait_until(run) : 0);
    return EXTFN_OK;
}
