/* Rows that ended their workers one after the other, in the order of the rows.
 * SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_STREAK_H
#define XF_EVAL_STREAK_H

#include <stdbool.h>

/* So many are a function that does nothing else. */
#define XF_DEADLY_ROW_LIMIT 100U

/* Of some rows that follow each other. Starts as `= {0}`. */
typedef struct xf_streak {
    unsigned first; /* deadly rows before the first that was not */
    unsigned last;  /* since the last that was not */
    bool is_broken; /* there was one that was not */
} xf_streak;

void xf_streak_add_deadly(xf_streak *streak);
void xf_streak_add_other(xf_streak *streak);

/* The longest streak that crosses the border to the rows after these. */
unsigned xf_streak_across(const xf_streak *streak, const xf_streak *next);

/* The rows after these are counted in. */
void xf_streak_join(xf_streak *streak, const xf_streak *next);

#endif
