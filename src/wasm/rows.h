/* Evaluating rows of columns in a module. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_ROWS_H
#define XF_WASM_ROWS_H

#include "wasm/limits.h"
#include "wasm/module.h"

#include <extfn/column.h>

/* Rows of one call, none of which has an Error argument. */
typedef struct xf_wasm_rows {
    xf_wasm_module *module;
    const extfn_column *const *columns; /* as many as the signature has arguments */
    int64_t first;
    int64_t end;
    uint64_t text_limit; /* bytes of all texts and messages of the result; 0: none */
    xf_wasm_limits limits;
} xf_wasm_rows;

/* Appends a result for each row; one that fails is an error in `result`, and the others go on,
 * unless the result has passed its limit. The call as a whole fails with EXTFN_ETIMEOUT past its
 * deadline, EXTFN_ECANCELED, or where this machine cannot run it. */
EXTFN_MUST_CHECK extfn_status xf_wasm_rows_run(const xf_wasm_rows *rows, extfn_column *result,
                                               extfn_error *err);

#endif
