/* A function over measures: what a multidimensional host does with its cells.
 * SPDX-License-Identifier: MIT */
#ifndef EXTFN_REFRESH_H
#define EXTFN_REFRESH_H

#include <extfn/host.h>

EXTFN_BEGIN

/* Cells of one type, each at its own coordinate: cell `i` has the item `items[d][i]` of dimension
 * `dimensions[d]` and row `i` of the values. The same name is the same dimension, and an item the
 * same thing, in all measures of a call. Without dimensions there is one cell at most. */
typedef struct extfn_measure {
    const char *const *dimensions; /* `dimension_count` names, none twice; at most 32 */
    const uint32_t *const *items;  /* an array as long as the values for each, in any order */
    size_t dimension_count;
    const extfn_column *values; /* at most EXTFN_CELLS_LIMIT rows */
} extfn_measure;

/* Most cells of a result, and of a measure. */
#define EXTFN_CELLS_LIMIT 100000000

/* What a refresh makes: a measure that owns what it points to. */
typedef struct extfn_cells extfn_cells;

/* Joins one measure for each argument on the dimensions that they share (a natural join: a measure
 * over fewer dimensions counts for all items of the others), evaluates the function for all joined
 * cells by one extfn_host_apply, which `options` are for, and makes a measure over all dimensions,
 * in the order in which they first appear, sorted by coordinate. A row that fails is an error in
 * the values; a cell that one argument lacks is not in the result. EXTFN_EINVAL before anything
 * runs: a coordinate that a measure has twice, which the message names, and more cells than
 * EXTFN_CELLS_LIMIT ("dimension mismatch: ..."). Measures stay the caller's, and are borrowed for
 * the call only. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_refresh(extfn_host *host, extfn_function *function,
                                                      const extfn_measure *args, size_t arg_count,
                                                      const extfn_call_options *options,
                                                      EXTFN_OWN extfn_cells **ret_cells,
                                                      extfn_error *err);

/* Valid as long as the cells. */
EXTFN_API extfn_measure extfn_cells_measure(const extfn_cells *cells);

/* NULL is allowed. */
EXTFN_API void extfn_cells_free(EXTFN_OWN extfn_cells *cells);

EXTFN_END

#endif
