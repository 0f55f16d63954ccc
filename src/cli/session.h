/* The host object of one run of the program, with its limits, and what a call needs.
 * SPDX-License-Identifier: MIT */
#ifndef XF_CLI_SESSION_H
#define XF_CLI_SESSION_H

#include "cli/options.h"
#include "cli/recorder.h"

#include <extfn/host.h>
#include <extfn/registry.h>

/* Starts as `= CLI_SESSION_CLOSED`. */
typedef struct cli_session {
    extfn_host_options limits; /* in force; no field is 0 that a limit stands in */
    extfn_host *host;
    extfn_cancel *cancel;
    extfn_output output;   /* of the last call */
    extfn_receipt receipt; /* the same, where it is to be told */
    bool is_cost_told;
    cli_recorder recorder;
    bool has_warned;
} cli_session;

#define CLI_SESSION_CLOSED                                                                         \
    {                                                                                              \
        .recorder = CLI_RECORDER_CLOSED                                                            \
    }

/* The session must stay where it is. */
EXTFN_MUST_CHECK extfn_status cli_session_open(const cli_options *options, cli_session *session,
                                               extfn_error *err);

/* The same with the record's limits where the options set none, and no more memory than usual. */
EXTFN_MUST_CHECK extfn_status cli_session_open_for(const cli_options *options,
                                                   const extfn_record *record, cli_session *session,
                                                   extfn_error *err);

/* Ends the workers, and tells what was recorded. */
void cli_session_close(cli_session *session);

/* The options of a call: a signal cancels it, its output and receipt come to the session,
 * and what fails to its recorder. */
extfn_call_options cli_session_call(cli_session *session);

/* Copies what the last call printed to stderr as it is, warns once when it ran without a sandbox,
 * and forgets it. */
void cli_session_show_output(cli_session *session);

#endif
