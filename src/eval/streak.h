/* Rows that ended their workers one after the other, in the order of the rows.
 * SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_STREAK_H
#define XF_EVAL_STREAK_H

#include "base/buf.h"

#include <stdint.h>

/* So many are a function that does nothing else. */
#define XF_DEADLY_ROW_LIMIT 100U

typedef struct xf_deadly_row {
    int64_t row;    /* of the batch */
    unsigned place; /* in its streak, from 1 on, as far as it is known where that began: */
    bool is_broken; /* among these rows, else perhaps before them */
} xf_deadly_row;

/* Of some rows that follow each other. Starts as `= {0}`. */
typedef struct xf_streak {
    xf_buf rows;    /* of xf_deadly_row */
    unsigned last;  /* deadly ones since the last that was not */
    bool is_broken; /* there was one that was not */
} xf_streak;

EXTFN_MUST_CHECK extfn_status xf_streak_add_deadly(xf_streak *streak, int64_t row,
                                                   extfn_error *err);
void xf_streak_add_other(xf_streak *streak);
void xf_streak_clear(xf_streak *streak);

/* The row for which a batch of so many is given up (batch.h), after `before` deadly ones right
 * before these; negative: none. */
int64_t xf_streak_last_straw(const xf_streak *streak, unsigned before, int64_t row_count);

/* Deadly rows right before the row after these. */
unsigned xf_streak_end(const xf_streak *streak, unsigned before);

#endif
