/* How the outcome of one call is written. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_RESULT_H
#define XF_CLI_RESULT_H

#include "cli/arguments.h"
#include "cli/session.h"

/* Reads the words as arguments, calls the function and writes the outcome: the result to stdout and
 * what the body printed to stderr; with --json all of it, a failure too, as one object on stdout.
 * A failure of the function itself is told, so the message is empty. */
EXTFN_MUST_CHECK extfn_status cli_result_of_call(const cli_options *options,
                                                 extfn_function *function, const char *const *words,
                                                 size_t count, extfn_error *err);

/* Tells in the same way of a call that could not be made, and returns why. */
EXTFN_MUST_CHECK extfn_status cli_result_of_failure(const cli_options *options,
                                                    const extfn_error *failure, extfn_error *err);

/* What came of a call, each part borrowed. */
typedef struct cli_outcome_of_call {
    const extfn_value *value;
    const extfn_error *failure; /* EXTFN_OK: there is a value */
    const extfn_output *output;
    const extfn_receipt *receipt; /* or NULL */
} cli_outcome_of_call;

/* `{"ok":5.0}` or `{"error":{...}}`, with stdout, stderr, cost and unsandboxed where there is any.
 */
EXTFN_MUST_CHECK extfn_status cli_append_outcome_json(cli_buf *buf,
                                                      const cli_outcome_of_call *outcome,
                                                      extfn_error *err);

#endif
