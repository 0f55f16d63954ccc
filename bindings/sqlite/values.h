/* Values of SQLite as values of functions, and back. SPDX-License-Identifier: MIT */
#ifndef XF_SQLITE_VALUES_H
#define XF_SQLITE_VALUES_H

#include "state.h"

/* EXTFN_ETYPE: the argument has another type; EXTFN_EINVAL: it has the type, and yet the function's
 * cannot hold it. Not for NULL. */
EXTFN_MUST_CHECK extfn_status sql_value_read(const extfn_function *function, size_t position,
                                             sqlite3_value *given, extfn_value *ret_value,
                                             extfn_error *err);

/* Makes it the result of the SQL function. NaN becomes NULL, as everywhere in SQLite. */
EXTFN_MUST_CHECK extfn_status sql_value_write(sqlite3_context *context, const extfn_value *value,
                                              extfn_error *err);

/* The same for the outcome of a call as JSON, `{"ok":VALUE}` or
 * `{"error":{"kind":"Runtime","message":"..."}}`; `failure` is NULL where there was none. */
EXTFN_MUST_CHECK extfn_status sql_outcome_write(sqlite3_context *context, const extfn_value *value,
                                                const extfn_error *failure, extfn_error *err);

#endif
