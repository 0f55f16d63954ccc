/* Making a recorded call again. SPDX-License-Identifier: MIT */
#include "cli/replay.h"

#include <string.h>

void cli_replay_clear(cli_replay *replay)
{
    extfn_record_clear(&replay->live);
    extfn_value_clear(&replay->value);
    extfn_text_free(replay->interpreter_version);
    *replay = (cli_replay){0};
}

bool cli_replay_is_same(const extfn_record *recorded, const extfn_record *live)
{
    if (recorded->outcome.status != live->outcome.status ||
        strcmp(recorded->outcome.message, live->outcome.message) != 0)
        return false;
    if (!recorded->stderr_data || !live->stderr_data)
        return true;
    return recorded->stderr_size == live->stderr_size &&
           memcmp(recorded->stderr_data, live->stderr_data, live->stderr_size) == 0;
}

typedef struct witness {
    extfn_host *host;
    extfn_record *live;
} witness;

/* Recorded and live outcome go through the same hands, so that they can be compared. */
static void note(const extfn_failure *failure, void *context)
{
    const witness *seen = context;
    extfn_error ignored = {0};
    (void)!extfn_record_make(seen->host, failure, seen->live, &ignored);
}

extfn_status cli_replay_run(cli_session *session, const extfn_record *record, cli_replay *replay,
                            extfn_error *err)
{
    extfn_error failure = {0};
    witness seen = {.host = session->host, .live = &replay->live};
    extfn_call_options call = cli_session_call(session);
    call.on_failure = note;
    call.failure_context = &seen;
    extfn_status status = extfn_host_eval(session->host, record->function, record->args,
                                          record->arg_count, &call, &replay->value, &failure);
    if (status == EXTFN_ECANCELED)
        return cli_fail(err, EXTFN_ECANCELED, "interrupted");
    if (replay->live.outcome.status == EXTFN_OK) { /* it went well, or did not come that far */
        replay->live.outcome = failure;
        replay->live.outcome.status = status;
    }
    replay->is_same = cli_replay_is_same(record, &replay->live);
    if (replay->is_same)
        return EXTFN_OK;
    char *path = NULL;
    extfn_error ignored = {0};
    (void)!extfn_host_probe_language(session->host, extfn_function_language(record->function),
                                     &path, &replay->interpreter_version, &ignored);
    extfn_text_free(path);
    return EXTFN_OK;
}
