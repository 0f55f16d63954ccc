/* Values and columns from and to JSON. SPDX-License-Identifier: MIT */
#ifndef XF_VALUE_JSON_H
#define XF_VALUE_JSON_H

#include "base/json.h"

#include <extfn/column.h>

/* See extfn_value_from_json; reads one value where the reader stands. */
EXTFN_MUST_CHECK extfn_status xf_value_read_json(xf_json *scan, extfn_type type,
                                                 extfn_value *ret_value, extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_value_write_json(xf_buf *out, const extfn_value *value,
                                                  extfn_error *err);

/* An array of values of the type; an element may be an Error object, or null: a missing_input
 * Error, `missing input: NAME`. */
EXTFN_MUST_CHECK extfn_status xf_column_read_json(xf_json *scan, extfn_type type, const char *name,
                                                  EXTFN_OWN extfn_column **ret_column,
                                                  extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_column_write_json(xf_buf *out, const extfn_column *column,
                                                   extfn_error *err);

#endif
