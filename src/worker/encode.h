/* Setups and rows into the request map. Pure but for the map's bytes. SPDX-License-Identifier: MIT
 */
#ifndef XF_WORKER_ENCODE_H
#define XF_WORKER_ENCODE_H

#include "base/error.h"
#include "wire/wire.h"

#include <extfn/column.h>
#include <extfn/function.h>

/* Some rows of a batch: those that one call evaluates. */
typedef struct xf_rows {
    const extfn_column *const *columns;
    size_t column_count;
    const int64_t *rows; /* count of them, ascending; none holds an error */
    uint32_t count;
} xf_rows;

/* Bytes that a row takes in the map, offsets included. */
size_t xf_row_size(const extfn_column *const *columns, size_t column_count, int64_t row);

/* Most bytes of all rows of a call together. */
size_t xf_rows_size_limit(size_t column_count);

/* The caller has kept the rows within XF_ROWS_LIMIT and the size limit. */
void xf_rows_encode(const xf_rows *rows, char *map);

/* `flags`: XF_SETUP_SEAL, XF_SETUP_OWN_TMP. EXTFN_EINVAL: the body does not fit into the map. */
EXTFN_MUST_CHECK extfn_status xf_setup_encode(const extfn_function *function, uint32_t flags,
                                              char *map, extfn_error *err);

#endif
