/* A worker for a function: a warm one, or one started and set up. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_ACQUIRE_H
#define XF_EVAL_ACQUIRE_H

#include "eval/host.h"

/* When to give up waiting. */
typedef struct xf_patience {
    int64_t until_us; /* xf_clock_now; negative: never */
    int cancel_fd;    /* or -1 */
} xf_patience;

/* What the call's options say of it. */
xf_patience xf_patience_of(const extfn_call_options *options);

/* A worker that is set up and idle. EXTFN_ECANCELED, EXTFN_ETIMEOUT when patience ends first;
 * EXTFN_ERUNTIME: the body does not compile. */
EXTFN_MUST_CHECK extfn_status xf_acquire(extfn_host *host, extfn_function *function,
                                         const xf_patience *patience,
                                         EXTFN_OWN xf_worker **ret_worker, extfn_error *err);

/* Waits a moment while there is no room in memory for a worker. EXTFN_ECANCELED, EXTFN_ETIMEOUT
 * when patience ended. */
EXTFN_MUST_CHECK extfn_status xf_wait_for_room(const xf_patience *patience, extfn_error *err);

/* The same without waiting: a warm one of a pure function, or NULL (for `turn` see
 * xf_host_make_room) ... */
EXTFN_OWN xf_worker *xf_acquire_warm(extfn_host *host, extfn_function *function, xf_turn *turn);

/* ... or one that was told to set itself up (`is_waived`: without bubblewrap although it is there),
 * whose first event other than XF_EVENT_NONE says how that went; then its end is the caller's
 * affair. NULL: there is no room in memory for one. */
EXTFN_MUST_CHECK extfn_status xf_acquire_begin(extfn_host *host, extfn_function *function,
                                               bool is_waived, xf_turn *turn,
                                               EXTFN_OWN xf_worker **ret_worker, extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_acquire_settle(const extfn_host *host,
                                                const extfn_function *function, xf_worker *worker,
                                                xf_event event, extfn_error *err);

/* Whether a start that failed so is to be tried again without bubblewrap: not for what may pass by
 * itself. */
bool xf_may_waive(const extfn_host *host, const extfn_error *failure);

/* An idle worker that serves no more calls: too old, or has served enough. */
bool xf_is_worn(const extfn_host *host, const xf_worker *worker);

/* Gives the worker back: a pure function's idle one stays warm, any other ends. */
void xf_release(extfn_host *host, extfn_function *function, EXTFN_OWN xf_worker *worker);

/* What a worker is told at setup (enum of wire.h). Outside of bubblewrap /tmp is the host's:
 * nothing there may be cleared. */
uint32_t xf_setup_flags(xf_confinement confinement);

/* Why the worker ended, or did not start, as an error. */
EXTFN_MUST_CHECK extfn_status xf_explain_end(const extfn_host *host, const xf_language *language,
                                             const xf_worker *worker, extfn_error *err);

#endif
