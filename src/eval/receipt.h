/* Filling a batch's receipt: each function does nothing where none is asked for.
 * SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_RECEIPT_H
#define XF_EVAL_RECEIPT_H

#include "eval/batch.h"

void xf_receipt_begin(xf_batch *run);

/* A worker comes to serve the batch: returns what it had used before, for when it leaves. */
uint64_t xf_receipt_take(xf_batch *run, xf_worker *worker, bool is_warm);

/* It goes, and may have ended; before it is given back or freed. */
void xf_receipt_leave(xf_batch *run, xf_worker *worker, uint64_t cpu_before_us);

/* Around what is evaluated in the calling thread. */
int64_t xf_receipt_thread_begin(const xf_batch *run);
void xf_receipt_thread_end(xf_batch *run, int64_t begun_us);

/* What a part of the batch has cost. */
void xf_receipt_add(xf_batch *run, const xf_batch *part);

/* To the caller, while the result is still there. */
void xf_receipt_hand_over(const xf_batch *run);

#endif
