/* Waiting for the workers of all lanes of a batch at once. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_WORKERS_H
#define XF_EVAL_WORKERS_H

#include "eval/lanes.h"

/* Waits for some lane, if it may, and tells each what it has to hear. EXTFN_ECANCELED,
 * EXTFN_ETIMEOUT when patience ended. */
EXTFN_MUST_CHECK extfn_status xf_workers_wait(xf_batch *run, bool may_wait, extfn_error *err);

/* The same without waiting: rows that cannot be evaluated are decided without a wait. */
EXTFN_MUST_CHECK extfn_status xf_workers_check_patience(const xf_batch *run, extfn_error *err);

/* As in xf_executor. */
EXTFN_MUST_CHECK extfn_status xf_workers_watch(const xf_batch *run, xf_watch *watch,
                                               extfn_error *err);

#endif
