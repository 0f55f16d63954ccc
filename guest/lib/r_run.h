/* The loops over calls and rows of an R function. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_LIB_R_RUN_H
#define XF_GUEST_LIB_R_RUN_H

#include "r_values.h"

/* What a row is evaluated with: R's own objects, kept alive by the caller. */
typedef struct xf_r_body {
    SEXP names; /* of the arguments: symbols, NULL for one without */
    SEXP call;
    SEXP frame; /* that it is evaluated in */
    SEXP reset; /* what is evaluated after it, or NULL */
} xf_r_body;

/* Both do what is left of the call under way, and if `goes_on` answer it, and all calls after it.
 * TRUE: the rows are done; FALSE: the host is gone; list(verdict, value): why they stopped at the
 * row under way, or of a vectorized body the call. What the body throws leaves by R's own jump: the
 * driver calls again after it. `pending` is list() or list(value), what did not fit before the heap
 * was emptied. */
SEXP xf_r_run_rows(xf_guest *guest, const xf_r_body *body, SEXP pending, bool goes_on);
SEXP xf_r_run_columns(xf_guest *guest, const xf_r_body *body, bool goes_on);

/* Writes a column that was checked, from the row under way on: TRUE or why it stopped there. */
SEXP xf_r_store_column(xf_guest *guest, SEXP column);

#endif
