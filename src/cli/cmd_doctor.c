/* extfn doctor: languages, sandbox and limits of this machine. SPDX-License-Identifier: MIT */
#include "cli/commands.h"
#include "cli/io.h"
#include "cli/library.h"
#include "cli/report.h"
#include "cli/session.h"

#include <stdio.h>
#include <string.h>

typedef struct limit {
    const char *name; /* in JSON */
    const char *text;
    double amount;
    const char *unit;
} limit;

#define LIMIT_COUNT 4

static void get_limits(const extfn_host_options *options, limit ret_limits[LIMIT_COUNT])
{
    const limit limits[LIMIT_COUNT] = {
        {"row_seconds", "one row", (double)options->timeout_us / 1e6, "s"},
        {"start_seconds", "start and compilation", (double)options->start_timeout_us / 1e6, "s"},
        {"memory_mib", "memory", (double)options->memory_bytes / 0x1p20, "MiB"},
        {"tmp_mib", "/tmp", (double)options->tmp_bytes / 0x1p20, "MiB"},
    };
    memcpy(ret_limits, limits, sizeof(limits));
}

static const struct {
    extfn_layer layer;
    const char *name; /* in JSON */
    const char *text;
} landlock[] = {
    {EXTFN_LAYER_FILES, "files", "files"},
    {EXTFN_LAYER_NETWORK, "network", "network"},
    {EXTFN_LAYER_SCOPES, "scopes", "signals and sockets"},
};
#define LANDLOCK_COUNT (sizeof(landlock) / sizeof(landlock[0]))

typedef struct sandbox_finding {
    extfn_error failure;
    uint32_t layers;
    bool is_trusted;
} sandbox_finding;

/* What was found out about one thing. */
typedef struct finding {
    extfn_error failure;
    char *path;
    char *version;
} finding;

static void finding_clear(finding *found)
{
    extfn_text_free(found->path);
    extfn_text_free(found->version);
}

static void probe(cli_session *session, extfn_language language, finding *found)
{
    found->failure.status = extfn_host_probe_language(session->host, language, &found->path,
                                                      &found->version, &found->failure);
}

static extfn_status append_member(cli_buf *buf, const char *head, const char *text,
                                  extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, head, err));
    return cli_buf_append_json(buf, text, strlen(text), err);
}

static extfn_status append_language_json(cli_buf *buf, const char *name, const finding *found,
                                         extfn_error *err)
{
    CLI_TRY(append_member(buf, "", name, err));
    if (found->failure.status != EXTFN_OK) {
        CLI_TRY(cli_buf_append_text(buf, ":{\"error\":", err));
        CLI_TRY(cli_append_error_json(buf, &found->failure, err));
    } else {
        CLI_TRY(append_member(buf, ":{\"path\":", found->path, err));
        CLI_TRY(append_member(buf, ",\"version\":", found->version, err));
    }
    return cli_buf_append_text(buf, "}", err);
}

static extfn_status append_languages_json(cli_buf *buf, cli_session *session, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, "{\"languages\":{", err));
    for (extfn_language language = 0; language < EXTFN_LANGUAGE_COUNT; language++) {
        CLI_AUTO(finding_clear) finding found = {0};
        probe(session, language, &found);
        CLI_TRY(cli_buf_append_text(buf, language ? "," : "", err));
        CLI_TRY(append_language_json(buf, extfn_language_text(language), &found, err));
    }
    return cli_buf_append_text(buf, "}", err);
}

static extfn_status append_landlock_json(cli_buf *buf, uint32_t layers, extfn_error *err)
{
    const char *before = ",\"landlock\":[";
    for (size_t i = 0; i < LANDLOCK_COUNT; i++) {
        if (!(layers & landlock[i].layer))
            continue;
        CLI_TRY(append_member(buf, before, landlock[i].name, err));
        before = ",";
    }
    return cli_buf_append_text(buf, layers ? "]" : ",\"landlock\":[]", err);
}

static extfn_status append_sandbox_json(cli_buf *buf, const sandbox_finding *sandbox,
                                        extfn_error *err)
{
    bool is_trusted = sandbox->is_trusted;
    CLI_TRY(append_member(buf, ",\"policy\":", is_trusted ? "trusted" : "restricted", err));
    if (sandbox->failure.status == EXTFN_OK) {
        CLI_TRY(append_member(buf, ",\"sandbox\":", is_trusted ? "none" : "usable", err));
        return append_landlock_json(buf, sandbox->layers, err);
    }
    CLI_TRY(cli_buf_append_text(buf, ",\"sandbox\":{\"error\":", err));
    CLI_TRY(cli_append_error_json(buf, &sandbox->failure, err));
    return cli_buf_append_text(buf, "}", err);
}

static extfn_status append_json(cli_buf *buf, cli_session *session, const sandbox_finding *sandbox,
                                extfn_error *err)
{
    CLI_TRY(append_languages_json(buf, session, err));
    CLI_TRY(append_sandbox_json(buf, sandbox, err));
    limit limits[LIMIT_COUNT];
    get_limits(&session->limits, limits);
    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        char text[80];
        (void)snprintf(text, sizeof(text), "%s\"%s\":%g", i ? "," : ",\"limits\":{", limits[i].name,
                       limits[i].amount);
        CLI_TRY(cli_buf_append_text(buf, text, err));
    }
    return cli_buf_append_text(buf, "}}\n", err);
}

static extfn_status append_line(cli_buf *buf, const char *name, const char *text, const char *more,
                                extfn_error *err)
{
    char head[32];
    (void)snprintf(head, sizeof(head), "%-22s  ", name);
    CLI_TRY(cli_buf_append_text(buf, head, err));
    CLI_TRY(cli_buf_append_plain(buf, text, strlen(text), err));
    CLI_TRY(cli_buf_append_text(buf, more[0] ? "  " : "", err));
    CLI_TRY(cli_buf_append_plain(buf, more, strlen(more), err));
    return cli_buf_append_text(buf, "\n", err);
}

static extfn_status append_landlock(cli_buf *buf, uint32_t layers, extfn_error *err)
{
    char text[80] = "not in this kernel; the sandbox is without its second lock";
    size_t used = 0;
    for (size_t i = 0; i < LANDLOCK_COUNT; i++) {
        if (layers & landlock[i].layer)
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", used ? ", " : "",
                                     landlock[i].text);
    }
    return append_line(buf, "Landlock", text, "", err);
}

static extfn_status append_sandbox(cli_buf *buf, const sandbox_finding *sandbox, extfn_error *err)
{
    if (sandbox->failure.status != EXTFN_OK)
        return append_line(buf, "sandbox", sandbox->failure.message, "", err);
    if (sandbox->is_trusted)
        return append_line(buf, "sandbox", "none (IMPROV_EXTFN_TRUSTED=1)", "", err);
    CLI_TRY(append_line(buf, "sandbox", "usable", "", err));
    return append_landlock(buf, sandbox->layers, err);
}

static extfn_status append_text(cli_buf *buf, cli_session *session, const sandbox_finding *sandbox,
                                extfn_error *err)
{
    for (extfn_language language = 0; language < EXTFN_LANGUAGE_COUNT; language++) {
        CLI_AUTO(finding_clear) finding found = {0};
        probe(session, language, &found);
        bool is_found = found.failure.status == EXTFN_OK;
        CLI_TRY(append_line(buf, extfn_language_text(language),
                            is_found ? found.path : found.failure.message,
                            is_found ? found.version : "", err));
    }
    CLI_TRY(append_sandbox(buf, sandbox, err));
    limit limits[LIMIT_COUNT];
    get_limits(&session->limits, limits);
    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        char text[48];
        (void)snprintf(text, sizeof(text), "at most %g %s", limits[i].amount, limits[i].unit);
        CLI_TRY(append_line(buf, limits[i].text, text, "", err));
    }
    return EXTFN_OK;
}

extfn_status cli_cmd_doctor(const cli_options *options, extfn_error *err)
{
    CLI_AUTO(cli_session_close) cli_session session = {0};
    CLI_TRY(cli_session_open(options, &session, err));
    sandbox_finding sandbox = {.is_trusted = session.limits.policy == EXTFN_TRUSTED};
    sandbox.failure.status =
        extfn_host_probe_layers(session.host, session.cancel, &sandbox.layers, &sandbox.failure);
    if (sandbox.failure.status == EXTFN_ECANCELED)
        return cli_fail(err, EXTFN_ECANCELED, "interrupted");

    CLI_AUTO(cli_buf_clear) cli_buf report = {0};
    if (options->is_json) {
        CLI_TRY(append_json(&report, &session, &sandbox, err));
    } else {
        CLI_TRY(append_text(&report, &session, &sandbox, err));
    }
    CLI_AUTO(cli_output_close) cli_output output = CLI_STDOUT;
    CLI_TRY(cli_output_write(&output, report.data, report.size, err));
    CLI_TRY(cli_output_flush(&output, err));
    return sandbox.failure.status;
}
