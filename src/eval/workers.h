/* The lanes of a batch, and the waiting for all of them at once. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_WORKERS_H
#define XF_EVAL_WORKERS_H

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
} xf_lanes;

/* Whether rows are left that no lane has. */
bool xf_workers_have_rows(const xf_batch *run);

/* The place of a lane that was put off, or else that of the next; NULL: there are enough. */
xf_lane *xf_workers_find_place(const xf_lanes *state);

/* One lane that cannot begin is no harm as long as there is another, which takes its rows; else
 * returns `why`. */
EXTFN_MUST_CHECK extfn_status xf_workers_close_lane(const xf_lanes *state, xf_lane *lane,
                                                    extfn_status why, extfn_error *err);

/* Waits for some lane, if it may, and tells each what it has to hear. EXTFN_ECANCELED,
 * EXTFN_ETIMEOUT when patience ended. */
EXTFN_MUST_CHECK extfn_status xf_workers_wait(xf_batch *run, bool may_wait, extfn_error *err);

/* The same without waiting: rows that cannot be evaluated are decided without a wait. */
EXTFN_MUST_CHECK extfn_status xf_workers_check_patience(const xf_batch *run, extfn_error *err);

/* As in xf_executor. */
EXTFN_MUST_CHECK extfn_status xf_workers_watch(const xf_batch *run, xf_watch *watch,
                                               extfn_error *err);

#endif
