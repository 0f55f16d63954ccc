/* The line that the failure of a function is about. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_FAILURE_LINE_H
#define XF_CLI_FAILURE_LINE_H

#include "cli/buf.h"

/* The line that a message ends in, `nope (line 3)`, or 0. */
long cli_failure_line(const char *message);

/* From `SyntaxError: invalid syntax (line 2)` to `PATH:2: SyntaxError: invalid syntax`; without a
 * line to `PATH: ...`. */
EXTFN_MUST_CHECK extfn_status cli_place_failure(const char *path, extfn_error *failure,
                                                extfn_error *err);

#endif
