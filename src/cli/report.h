/* How a failure is told, and the program's exit status. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_REPORT_H
#define XF_CLI_REPORT_H

#include "cli/buf.h"

/* The exit status that the help names. */
int cli_exit_status(extfn_status status);

/* Writes `extfn: CAUSE; WHAT TO DO` to stderr, one line; nothing when the message is empty. */
void cli_report(const extfn_error *err);

/* The same for what does not end the command: `extfn: warning: ...`. */
void cli_warn(const char *message);

/* From `SyntaxError: invalid syntax (line 2)` to `PATH:2: SyntaxError: invalid syntax`; without a
 * line to `PATH: ...`. */
EXTFN_MUST_CHECK extfn_status cli_place_failure(const char *path, extfn_error *failure,
                                                extfn_error *err);

/* `{"kind":"Timeout","message":"..."}` */
EXTFN_MUST_CHECK extfn_status cli_append_error_json(cli_buf *buf, const extfn_error *failure,
                                                    extfn_error *err);

#endif
