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

/* Of a call. */
typedef struct sql_outcome {
    const extfn_value *value;
    const extfn_error *failure; /* NULL where there was none */
    bool is_unsandboxed;
} sql_outcome;

/* The same for an outcome as JSON: `{"ok":VALUE}` or
 * `{"error":{"kind":"Runtime","message":"..."}}`, with `"unsandboxed":true` where it was. */
EXTFN_MUST_CHECK extfn_status sql_outcome_write(sqlite3_context *context,
                                                const sql_outcome *outcome, extfn_error *err);

#endif
