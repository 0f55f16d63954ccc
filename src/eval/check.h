/* Whether arguments fit a function, before anything is started. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_CHECK_H
#define XF_EVAL_CHECK_H

#include "base/error.h"

#include <extfn/column.h>
#include <extfn/function.h>

/* In the contract's order: count (EXTFN_EARITY), then each type (EXTFN_ETYPE; an Error value always
 * mismatches). */
EXTFN_MUST_CHECK extfn_status xf_check_values(const extfn_function *function,
                                              const extfn_value *args, size_t count,
                                              extfn_error *err);

/* The same for columns. */
EXTFN_MUST_CHECK extfn_status xf_check_types(const extfn_function *function,
                                             const extfn_column *const *columns, size_t count,
                                             extfn_error *err);

/* The same; and each column is `rows` long: EXTFN_EINVAL. */
EXTFN_MUST_CHECK extfn_status xf_check_columns(const extfn_function *function,
                                               const extfn_column *const *columns, size_t count,
                                               int64_t rows, extfn_error *err);

#endif
