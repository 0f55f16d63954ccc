/* In which order measures are joined, so that what is made on the way is small, and how the order
 * of the arguments is restored. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_JOIN_ORDER_H
#define XF_EVAL_JOIN_ORDER_H

#include "eval/join.h"

/* The measure that is joined next to the rows of those before: the first one, then one that can
 * only take rows away, else one that shares a dimension, and only when there is none the one with
 * the fewest cells, which all meet all rows. `count` when all are joined. */
size_t xf_join_next(const extfn_measure *measures, size_t count, const bool *is_joined,
                    const xf_joined *rows);

/* Rows that were joined in this order, as if they had been from left to right. */
EXTFN_MUST_CHECK extfn_status xf_joined_restore(xf_joined *rows, const extfn_measure *measures,
                                                const size_t *order, extfn_error *err);

#endif
