/* What came of a recorded call, as text and as JSON. SPDX-License-Identifier: MIT */
#include "cli/replay.h"

#include "cli/library.h"
#include "cli/result.h"
#include "cli/tell.h"

#include <stdio.h>
#include <string.h>

/* ---- Text ---- */

static extfn_status append_plain(cli_buf *buf, const char *text, extfn_error *err)
{
    return cli_buf_append_plain(buf, text, strlen(text), err);
}

static extfn_status append_failure(cli_buf *buf, const extfn_error *failure, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, extfn_status_kind(failure->status), err));
    CLI_TRY(cli_buf_append_text(buf, ": ", err));
    CLI_TRY(append_plain(buf, failure->message, err));
    return cli_buf_append_text(buf, "\n", err);
}

static extfn_status append_now(cli_buf *buf, const cli_replay *replay, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, "  now:      ", err));
    if (replay->live.outcome.status != EXTFN_OK)
        return append_failure(buf, &replay->live.outcome, err);
    CLI_AUTO(cli_text_clear) char *text = NULL;
    size_t size = 0;
    CLI_TRY(extfn_value_format(&replay->value, &text, &size, err));
    CLI_TRY(cli_buf_append_text(buf, "Ok: ", err));
    CLI_TRY(cli_buf_append_plain(buf, text, size, err));
    return cli_buf_append_text(buf, "\n", err);
}

static extfn_status append_stream(cli_buf *buf, const char *head, const extfn_record *record,
                                  extfn_error *err)
{
    if (!record->stderr_data)
        return EXTFN_OK;
    CLI_TRY(cli_buf_append_text(buf, head, err));
    CLI_TRY(cli_buf_append_plain(buf, record->stderr_data, record->stderr_size, err));
    return cli_buf_append_text(buf, "\n", err);
}

/* Only where it is not the same: `  HEAD: WAS; now NOW`. */
static extfn_status append_change(cli_buf *buf, const char *head, const char *was, const char *now,
                                  extfn_error *err)
{
    if (!was || (now && strcmp(was, now) == 0))
        return EXTFN_OK;
    CLI_TRY(cli_buf_append_text(buf, head, err));
    CLI_TRY(append_plain(buf, was, err));
    CLI_TRY(cli_buf_append_text(buf, "; now ", err));
    CLI_TRY(append_plain(buf, now ? now : "none", err));
    return cli_buf_append_text(buf, "\n", err);
}

static const char *policy_text(extfn_policy policy)
{
    return policy == EXTFN_TRUSTED ? "trusted" : "restricted";
}

/* What was different when it was recorded, and may be why. */
static extfn_status append_changes(cli_buf *buf, const extfn_record *record,
                                   const cli_replay *replay, const cli_session *session,
                                   extfn_error *err)
{
    const extfn_host_options *limits = &session->limits;
    char was[32];
    char now[32];
    (void)snprintf(was, sizeof(was), "%.0f bytes", (double)record->memory_bytes);
    (void)snprintf(now, sizeof(now), "%.0f bytes", (double)limits->memory_bytes);
    CLI_TRY(append_change(buf, "  memory:   ", was, now, err));
    (void)snprintf(was, sizeof(was), "%.6g s", (double)record->timeout_us / 1e6);
    (void)snprintf(now, sizeof(now), "%.6g s", (double)limits->timeout_us / 1e6);
    CLI_TRY(append_change(buf, "  timeout:  ", was, now, err));
    CLI_TRY(append_change(buf, "  policy:   ", policy_text(record->policy),
                          policy_text(limits->policy), err));
    CLI_TRY(append_change(buf, "  version:  ", record->interpreter_version,
                          replay->interpreter_version, err));
    const char *packages = limits->packages[extfn_function_language(record->function)];
    return append_change(buf, "  packages: ", record->packages, packages, err);
}

extfn_status cli_replay_append_text(cli_buf *buf, const char *path, const extfn_record *record,
                                    const cli_replay *replay, const cli_session *session,
                                    extfn_error *err)
{
    CLI_TRY(append_plain(buf, path, err));
    CLI_TRY(cli_buf_append_text(buf, replay->is_same ? ": same: " : ": another outcome\n", err));
    if (replay->is_same)
        return append_failure(buf, &record->outcome, err);
    CLI_TRY(cli_buf_append_text(buf, "  recorded: ", err));
    CLI_TRY(append_failure(buf, &record->outcome, err));
    CLI_TRY(append_now(buf, replay, err));
    if (record->stderr_data && replay->live.stderr_data) { /* of a row of a table it is not known */
        CLI_TRY(append_stream(buf, "  recorded stderr: ", record, err));
        CLI_TRY(append_stream(buf, "  stderr now:      ", &replay->live, err));
    }
    return append_changes(buf, record, replay, session, err);
}

/* ---- JSON ---- */

static extfn_status append_outcome(cli_buf *buf, const char *head, const extfn_record *record,
                                   const extfn_value *value, extfn_error *err)
{
    const extfn_output output = {.stderr_data = record->stderr_data,
                                 .stderr_size = record->stderr_size};
    const cli_outcome_of_call outcome = {.value = value,
                                         .failure = &record->outcome,
                                         .output = &output};
    CLI_TRY(cli_buf_append_text(buf, head, err));
    return cli_append_outcome_json(buf, &outcome, err);
}

extfn_status cli_replay_append_json(cli_buf *buf, const char *path, const extfn_record *record,
                                    const cli_replay *replay, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, "{\"path\":", err));
    CLI_TRY(cli_buf_append_json(buf, path, strlen(path), err));
    CLI_TRY(cli_buf_append_text(buf, replay->is_same ? ",\"same\":true" : ",\"same\":false", err));
    CLI_TRY(append_outcome(buf, ",\"recorded\":", record, NULL, err));
    CLI_TRY(append_outcome(buf, ",\"now\":", &replay->live, &replay->value, err));
    return cli_buf_append_text(buf, "}\n", err);
}
