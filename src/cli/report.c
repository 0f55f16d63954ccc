/* Failures as lines, JSON and exit statuses. SPDX-License-Identifier: MIT */
#include "cli/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct outcome {
    extfn_status status;
    int exit_status;
    const char *advice; /* for messages that have none; or NULL */
} outcome;

static const outcome outcomes[] = {
    {EXTFN_OK, 0, NULL},
    {EXTFN_EINVAL, 2, NULL},
    {EXTFN_ENOTFOUND, 2, "'extfn list LIB' shows what there is"},
    {EXTFN_EARITY, 2, NULL},
    {EXTFN_ETYPE, 2, NULL},
    {EXTFN_EUNAVAILABLE, 3, "'extfn doctor' shows the languages of this machine"},
    {EXTFN_ESANDBOX, 4, "'extfn doctor' shows what is missing"},
    {EXTFN_ETIMEOUT, 5, "--timeout SECONDS gives it longer"},
};

static const outcome *find(extfn_status status)
{
    static const outcome other = {EXTFN_ERUNTIME, 1, NULL};
    for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++) {
        if (outcomes[i].status == status)
            return &outcomes[i];
    }
    return &other;
}

int cli_exit_status(extfn_status status)
{
    return find(status)->exit_status;
}

static void tell(const char *prefix, const char *message, const char *advice)
{
    CLI_AUTO(cli_buf_clear) cli_buf line = {0};
    extfn_error err = {0};
    extfn_status status = cli_buf_append_plain(&line, message, strlen(message), &err);
    (void)fprintf(stderr, "extfn: %s%s%s%s\n", prefix, status == EXTFN_OK ? line.data : "",
                  advice ? "; " : "", advice ? advice : "");
}

void cli_report(const extfn_error *err)
{
    if (!err->message[0])
        return;
    tell("", err->message, strchr(err->message, ';') ? NULL : find(err->status)->advice);
}

void cli_warn(const char *message)
{
    tell("warning: ", message, NULL);
}

/* The last " (line N)" of the message: the library's own, which stands behind what a body says. */
static const char *find_line_mark(const char *message, long *ret_line, size_t *ret_size)
{
    static const char head[] = " (line ";
    const char *found = NULL;
    for (const char *at = strstr(message, head); at; at = strstr(at + 1, head)) {
        char *end = NULL;
        long line = strtol(at + sizeof(head) - 1, &end, 10);
        if (line <= 0 || *end != ')')
            continue;
        found = at;
        *ret_line = line;
        *ret_size = (size_t)(end + 1 - at);
    }
    return found;
}

extfn_status cli_place_failure(const char *path, extfn_error *failure, extfn_error *err)
{
    const char *message = failure->message;
    long line = 0;
    size_t size = 0;
    const char *mark = find_line_mark(message, &line, &size);
    char text[32] = ": ";
    if (mark)
        (void)snprintf(text, sizeof(text), ":%ld: ", line);
    CLI_AUTO(cli_buf_clear) cli_buf placed = {0};
    CLI_TRY(cli_buf_append_text(&placed, path, err));
    CLI_TRY(cli_buf_append_text(&placed, text, err));
    CLI_TRY(
        cli_buf_append(&placed, message, mark ? (size_t)(mark - message) : strlen(message), err));
    CLI_TRY(cli_buf_append_text(&placed, mark ? mark + size : "", err));
    (void)snprintf(failure->message, sizeof(failure->message), "%s", placed.data);
    return EXTFN_OK;
}

extfn_status cli_append_error_json(cli_buf *buf, const extfn_error *failure, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, "{\"kind\":\"", err));
    CLI_TRY(cli_buf_append_text(buf, extfn_status_kind(failure->status), err));
    CLI_TRY(cli_buf_append_text(buf, "\",\"message\":", err));
    CLI_TRY(cli_buf_append_json(buf, failure->message, strlen(failure->message), err));
    return cli_buf_append_text(buf, "}", err);
}
