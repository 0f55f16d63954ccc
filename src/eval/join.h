/* The natural join of measures: which cells of them meet. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_JOIN_H
#define XF_EVAL_JOIN_H

#include "base/error.h"

#include <extfn/refresh.h>

#define XF_DIMENSIONS_LIMIT 32

/* Rows of the join, sorted by coordinate, no coordinate twice. */
typedef struct xf_joined {
    char **dimensions; /* in the order of their first appearance */
    uint32_t **items;  /* `rows` of each */
    size_t dimension_count;
    uint32_t **picks; /* which cell of each measure, `rows` of them */
    size_t measure_count;
    size_t rows;
} xf_joined;

void xf_joined_clear(xf_joined *joined);

/* Frees what leads back to the measures. */
void xf_joined_drop_picks(xf_joined *joined);

/* Joins the measures, at most EXTFN_ARGUMENT_LIMIT; of none there is one row. `names` are what
 * messages call the measures. EXTFN_EINVAL as extfn_refresh has it, over `limit` rows. */
EXTFN_MUST_CHECK extfn_status xf_join(const extfn_measure *measures, const char *const *names,
                                      size_t count, size_t limit, xf_joined *ret_joined,
                                      extfn_error *err);

#endif
