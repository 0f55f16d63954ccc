/* Whole columns through the loop module: copied in, walked there, copied out.
 * SPDX-License-Identifier: MIT */
#ifndef XF_WASM_COLUMNS_H
#define XF_WASM_COLUMNS_H

#include "wasm/rows.h"
#include "wasm/session.h"

/* The session has the loop. See xf_wasm_rows_run. */
EXTFN_MUST_CHECK extfn_status xf_wasm_columns_run(xf_wasm_session *session,
                                                  const xf_wasm_rows *rows, extfn_column *result,
                                                  extfn_error *err);

/* A row's failure becomes its result; any other is that of the call. */
EXTFN_MUST_CHECK extfn_status xf_wasm_rows_settle(const xf_wasm_watch *watch, extfn_status status,
                                                  const extfn_error *failure, extfn_column *result,
                                                  extfn_error *err);

#endif
