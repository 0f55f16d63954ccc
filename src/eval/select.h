/* Which rows of a batch a call may evaluate, and the errors of those that it may not.
 * SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_SELECT_H
#define XF_EVAL_SELECT_H

#include "lang/language.h"

#include <extfn/column.h>

/* The arguments of a batch; borrowed. */
typedef struct xf_arguments {
    const xf_language *language;
    const extfn_column *const *columns;
    size_t column_count;
    int64_t rows;
    bool are_calls; /* each row is a call of its own: what is true of a batch is not of them */
} xf_arguments;

/* Picks rows from `from` on into `selected`, ascending, at most `limit` of them and at most what
 * one call holds; rows that cannot be evaluated are passed over. Returns how many; `ret_end` is the
 * row after the last one looked at. */
uint32_t xf_select(const xf_arguments *arguments, int64_t from, uint32_t limit, int64_t *selected,
                   int64_t *ret_end);

/* Finds the first row from `from` on that can be evaluated, or the end, and returns how many can
 * that follow each other from there, at most `limit`. */
int64_t xf_select_run(const xf_arguments *arguments, int64_t from, int64_t limit,
                      int64_t *ret_first);

/* Appends to the result, whose first row is row `base` of the batch, the errors of the rows up to
 * `end`, none of which can be evaluated: the leftmost argument that is an error, or why the
 * language cannot hold a value. */
EXTFN_MUST_CHECK extfn_status xf_append_refused(const xf_arguments *arguments, int64_t base,
                                                int64_t end, extfn_column *result,
                                                extfn_error *err);

#endif
