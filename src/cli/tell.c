/* Failures as lines, JSON and exit statuses. SPDX-License-Identifier: MIT */
#include "cli/tell.h"

#include "cli/excerpt.h"
#include "cli/failure_line.h"
#include "cli/interrupt.h"
#include "cli/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* How a kind of message begins. */
typedef struct manner {
    const char *prefix;
    cli_colour_id colour;
} manner;

static const manner as_error = {"extfn:", CLI_COLOUR_ERROR};
static const manner as_warning = {"extfn: warning:", CLI_COLOUR_WARNING};

/* One line; on a terminal the one of the source follows. */
static extfn_status append(cli_buf *buf, const manner *how, const extfn_error *failure,
                           const cli_place *place, extfn_error *err)
{
    cli_look look = cli_look_of(STDERR_FILENO);
    const char *message = failure->message;
    const char *advice = strchr(message, ';') ? NULL : find(failure->status)->advice;
    CLI_TRY(cli_buf_append_text(buf, cli_colour(look.is_coloured, how->colour), err));
    CLI_TRY(cli_buf_append_text(buf, how->prefix, err));
    CLI_TRY(cli_buf_append_text(buf, cli_colour(look.is_coloured, CLI_COLOUR_NONE), err));
    CLI_TRY(cli_buf_append_text(buf, " ", err));
    CLI_TRY(cli_buf_append_plain(buf, message, strlen(message), err));
    CLI_TRY(cli_buf_append_text(buf, advice ? "; " : "", err));
    CLI_TRY(cli_buf_append_text(buf, advice ? advice : "", err));
    CLI_TRY(cli_buf_append_text(buf, "\n", err));
    return look.is_terminal ? cli_excerpt_append(buf, place, message, look.is_coloured, err)
                            : EXTFN_OK;
}

/* What there is no memory for is not told. */
static void tell(const manner *how, const extfn_error *failure, const cli_place *place)
{
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    extfn_error err = {0};
    if (append(&text, how, failure, place, &err) == EXTFN_OK)
        (void)fwrite(text.data, 1, text.size, stderr);
    else
        (void)fprintf(stderr, "%s\n", how->prefix);
}

void cli_tell(const extfn_error *err)
{
    const cli_place nowhere = {0};
    if (err->message[0])
        tell(&as_error, err, &nowhere);
}

void cli_warn(const char *message)
{
    const cli_place nowhere = {0};
    extfn_error warning = {0};
    (void)snprintf(warning.message, sizeof(warning.message), "%s", message);
    tell(&as_warning, &warning, &nowhere);
}

void cli_warn_of_file(const char *path, const extfn_error *problem)
{
    CLI_AUTO(cli_place_clear) cli_place place = cli_place_in_file(path, problem);
    extfn_error warning = *problem;
    warning.status = EXTFN_OK; /* takes no advice */
    tell(&as_warning, &warning, &place);
}

extfn_status cli_tell_file(const char *path, extfn_error *problem)
{
    CLI_AUTO(cli_place_clear) cli_place place = cli_place_in_file(path, problem);
    tell(&as_error, problem, &place);
    problem->message[0] = '\0';
    return problem->status;
}

extfn_status cli_tell_function(const extfn_function *function, extfn_error *failure)
{
    const char *path = extfn_function_source_path(function);
    const cli_place place = cli_place_in_function(function, failure);
    extfn_error placed = *failure;
    extfn_error err = {0};
    if (path && cli_place_failure(path, &placed, &err) != EXTFN_OK)
        placed = err;
    if (failure->message[0] && cli_interrupt_signal() == 0) /* a worker gets a signal as well */
        tell(&as_error, &placed, &place);
    failure->message[0] = '\0';
    return failure->status;
}

extfn_status cli_append_error_json(cli_buf *buf, const extfn_error *failure, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, "{\"kind\":\"", err));
    CLI_TRY(cli_buf_append_text(buf, extfn_status_kind(failure->status), err));
    CLI_TRY(cli_buf_append_text(buf, "\",\"message\":", err));
    CLI_TRY(cli_buf_append_json(buf, failure->message, strlen(failure->message), err));
    return cli_buf_append_text(buf, "}", err);
}
