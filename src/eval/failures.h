/* Telling of what failed in a batch. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_FAILURES_H
#define XF_EVAL_FAILURES_H

#include "eval/batch.h"

/* Where the options want it; `failure` is the batch's as a whole, or NULL: then its rows'. */
void xf_failures_tell(const xf_batch *run, const extfn_error *failure);

#endif
