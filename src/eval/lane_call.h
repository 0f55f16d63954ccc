/* One call of a lane: rows to its worker, and what comes of them. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_LANE_CALL_H
#define XF_EVAL_LANE_CALL_H

#include "eval/lane.h"

/* A worker may die by no fault of the row that it has, while idle or from outside; that many are
 * tried for a row. */
#define XF_DEATH_LIMIT 3

/* Sends the selected rows to the worker, which is idle. */
void xf_call_begin(xf_lane *lane);

/* An event of the worker: the lane is free afterwards, some rows are decided or the next call will
 * be smaller; or the call goes on. */
EXTFN_MUST_CHECK extfn_status xf_call_hear(xf_lane *lane, xf_event event, extfn_error *err);

/* Decides the rows up to `end`, none of which can be evaluated. */
EXTFN_MUST_CHECK extfn_status xf_lane_append_refused(xf_lane *lane, int64_t end, extfn_error *err);

/* Whether the end of the worker, which was heard, came from outside: it or its supervisor was
 * killed.
 */
bool xf_lane_has_lost_worker(const xf_lane *lane);

/* Ends the worker: the next call needs a new one. */
void xf_lane_drop_worker(xf_lane *lane);

#endif
