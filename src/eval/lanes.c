#include "eval/lanes.h"

void xf_lanes_stop(xf_lanes *state, xf_span *span)
{
    span->is_stopped = true;
    state->is_stopped = true;
}

bool xf_lanes_have_rows(const xf_batch *run)
{
    const xf_lanes *state = run->state;
    return !state->is_stopped && state->next_row < run->arguments.rows;
}

xf_lane *xf_lanes_find_place(const xf_lanes *state)
{
    if (state->is_complete)
        return NULL;
    for (size_t i = 0; i < state->open; i++) {
        if (state->lanes[i].is_put_off && !state->lanes[i].span)
            return &state->lanes[i];
    }
    return state->open < state->limit ? &state->lanes[state->open] : NULL;
}

bool xf_lanes_have_another(const xf_lanes *state, const xf_lane *lane)
{
    for (size_t i = 0; i < state->open; i++) {
        if (&state->lanes[i] != lane && state->lanes[i].state != XF_LANE_CLOSED)
            return true;
    }
    return false;
}

extfn_status xf_lanes_close(const xf_lanes *state, xf_lane *lane, extfn_status why,
                            extfn_error *err)
{
    if (!xf_lanes_have_another(state, lane) || lane->rows_called > 0)
        return why;
    xf_lane_close(lane, false);
    if (err)
        *err = (extfn_error){0};
    return EXTFN_OK;
}
