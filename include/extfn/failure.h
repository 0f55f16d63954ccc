/* Calls and rows that failed, told with what it takes to make them again. SPDX-License-Identifier:
 * MIT */
#ifndef EXTFN_FAILURE_H
#define EXTFN_FAILURE_H

#include <extfn/column.h>
#include <extfn/function.h>

EXTFN_BEGIN

/* One row that failed; all of it borrowed, and valid while it is told. */
typedef struct extfn_failure {
    size_t struct_size;
    extfn_function *function;
    const extfn_column *const *columns; /* the arguments: row `row` of each */
    size_t column_count;
    int64_t row;
    const extfn_error *error;
    int64_t timeout_us;      /* that was in force for a row */
    bool is_output_told;     /* false in a batch of more than one row: whose it is is not known */
    const char *stderr_data; /* what the body printed there; NULL when empty */
    size_t stderr_size;
    bool is_unsandboxed;
} extfn_failure;

/* Told at the end of the call, of each row that failed by its own evaluation, in order; where the
 * call as a whole fails, once, of its first row. Not of rows with an Error argument, of arguments
 * that do not fit, and of what was canceled. It may use the host object. */
typedef void extfn_failure_fn(const extfn_failure *failure, void *context);

EXTFN_END

#endif
