/* How a failure is told, and the program's exit status. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_TELL_H
#define XF_CLI_TELL_H

#include "cli/buf.h"

#include <extfn/function.h>

/* The exit status that the help names. */
int cli_exit_status(extfn_status status);

/* Writes `extfn: CAUSE; WHAT TO DO` to stderr, one line; nothing when the message is empty. */
void cli_tell(const extfn_error *err);

/* The same for what does not end the command: `extfn: warning: ...`. */
void cli_warn(const char *message);

/* The same for a file of a library; on a terminal the line of the file follows, with a caret. */
void cli_warn_of_file(const char *path, const extfn_error *problem);

/* As cli_tell, with the line of the source on a terminal. Each empties the message, since it is
 * told, and returns the status. The failure of a function is placed first. */
extfn_status cli_tell_file(const char *path, extfn_error *problem);
extfn_status cli_tell_function(const extfn_function *function, extfn_error *failure);

/* `{"kind":"Timeout","message":"..."}` */
EXTFN_MUST_CHECK extfn_status cli_append_error_json(cli_buf *buf, const extfn_error *failure,
                                                    extfn_error *err);

#endif
