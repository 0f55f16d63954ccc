/* The lanes of a batch. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_LANES_H
#define XF_EVAL_LANES_H

#include "eval/lane.h"

/* `state` of the batch. */
typedef struct xf_lanes {
    xf_lane *lanes; /* `limit`, of which the first `open` are */
    size_t open;
    size_t limit;
    struct pollfd *watched; /* XF_WORKER_WATCHED a lane, and one for the cancel object */
    xf_span *first;         /* not put in order yet, in order; NULL: none */
    xf_span *last;
    int64_t rows_put_off; /* decided by lanes that were put off */
    int64_t next_row;     /* the first that is not handed out */
    int64_t open_us;      /* when to look again whether another lane is worth it */
    bool is_complete;     /* no lane is opened any more: one could not begin */
    bool is_stopped;      /* no row is handed out any more: a span was stopped */
} xf_lanes;

/* Ends the work at a span: the batch fails for it. The rows before it are still decided, so that
 * the first reason is told and not the quickest. */
void xf_lanes_stop(xf_lanes *state, xf_span *span);

/* Whether rows are left that no lane has, and that are to be evaluated. */
bool xf_lanes_have_rows(const xf_batch *run);

/* The place of a lane that was put off, or else that of the next; NULL: there are enough. */
xf_lane *xf_lanes_find_place(const xf_lanes *state);

/* Whether a lane besides this one is open. */
bool xf_lanes_have_another(const xf_lanes *state, const xf_lane *lane);

/* One lane that cannot begin is no harm as long as there is another, which takes its rows; else
 * returns `why`. */
EXTFN_MUST_CHECK extfn_status xf_lanes_close(const xf_lanes *state, xf_lane *lane, extfn_status why,
                                             extfn_error *err);

#endif
