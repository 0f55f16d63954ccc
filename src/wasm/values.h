/* Values on their way into a module and out of it. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_VALUES_H
#define XF_WASM_VALUES_H

#include "wasm/session.h"

#include <extfn/column.h>

/* Of all parameters or of the result. */
#define XF_WASM_RAW_LIMIT XF_WASM_PARAM_LIMIT

/* Fills the parameters of a row, Text by improv_alloc in the module's memory. What that does wrong
 * is EXTFN_ERUNTIME. */
EXTFN_MUST_CHECK extfn_status xf_wasm_values_pass(xf_wasm_session *session,
                                                  const extfn_column *const *columns, int64_t row,
                                                  wasmtime_val_raw_t raws[XF_WASM_RAW_LIMIT],
                                                  extfn_error *err);

/* Appends the result of a call. EXTFN_ERUNTIME: it is none that the type may have. */
EXTFN_MUST_CHECK extfn_status xf_wasm_values_append(xf_wasm_session *session,
                                                    const wasmtime_val_raw_t *raw,
                                                    extfn_column *result, extfn_error *err);

/* Whether a Boolean, DateTime or Enum that the module returned is one; `bits` as they stand in the
 * raw value. */
EXTFN_MUST_CHECK extfn_status xf_wasm_values_check(extfn_type type, int64_t bits, extfn_error *err);

#endif
