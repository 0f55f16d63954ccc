/* A recorded call made again, and how what came of it is told. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_REPLAY_H
#define XF_CLI_REPLAY_H

#include "cli/session.h"

#include <extfn/record.h>

/* What came of it now. Starts as `= {0}`. */
typedef struct cli_replay {
    extfn_record live; /* of a call that failed: outcome and stderr, as a record has them */
    extfn_value value;
    char *interpreter_version; /* where the outcome is another: what there is now, or NULL */
    bool is_same;
} cli_replay;

void cli_replay_clear(cli_replay *replay);

/* Makes the call again with a session that was opened for the record. EXTFN_ECANCELED: a signal
 * arrived. */
EXTFN_MUST_CHECK extfn_status cli_replay_run(cli_session *session, const extfn_record *record,
                                             cli_replay *replay, extfn_error *err);

/* Same kind, same message, and the same stderr where both know it: all of it, byte for byte. */
bool cli_replay_is_same(const extfn_record *recorded, const extfn_record *live);

/* `PATH: same: Runtime: nope`, or some lines that show both outcomes and what else is different. */
EXTFN_MUST_CHECK extfn_status cli_replay_append_text(cli_buf *buf, const char *path,
                                                     const extfn_record *record,
                                                     const cli_replay *replay,
                                                     const cli_session *session, extfn_error *err);

/* `{"path":"...","same":false,"recorded":{...},"now":{...}}` */
EXTFN_MUST_CHECK extfn_status cli_replay_append_json(cli_buf *buf, const char *path,
                                                     const extfn_record *record,
                                                     const cli_replay *replay, extfn_error *err);

#endif
