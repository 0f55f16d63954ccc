/* extfn check: reads and compiles every function of a library. SPDX-License-Identifier: MIT */
#include "cli/commands.h"
#include "cli/excerpt.h"
#include "cli/failure_line.h"
#include "cli/io.h"
#include "cli/library.h"
#include "cli/look.h"
#include "cli/session.h"
#include "cli/tally.h"
#include "cli/tell.h"

#include <string.h>
#include <unistd.h>

typedef struct check {
    const cli_options *options;
    cli_output output;
    cli_tally tally;
    extfn_status status; /* of writing */
    extfn_error *err;
} check;

static void check_clear(check *run)
{
    cli_output_close(&run->output);
}

/* One line of the report: a signature and perhaps a form, or a failure. */
typedef struct finding {
    const char *path; /* in text, a failure with NULL names its own */
    const char *signature;
    const char *form; /* or NULL */
    const extfn_error *failure;
    const cli_place *place; /* of the failure */
} finding;

static extfn_status append_failure(cli_buf *buf, const finding *found, extfn_error *err)
{
    extfn_error told = *found->failure;
    if (found->path)
        CLI_TRY(cli_place_failure(found->path, &told, err));
    CLI_TRY(cli_buf_append_plain(buf, told.message, strlen(told.message), err));
    CLI_TRY(cli_buf_append_text(buf, "\n", err));
    cli_look look = cli_look_of(STDOUT_FILENO);
    return look.is_terminal
               ? cli_excerpt_append(buf, found->place, told.message, look.is_coloured, err)
               : EXTFN_OK;
}

static extfn_status append_text(cli_buf *buf, const finding *found, extfn_error *err)
{
    if (found->failure)
        return append_failure(buf, found, err);
    CLI_TRY(cli_buf_append_text(buf, found->path, err));
    CLI_TRY(cli_buf_append_text(buf, ": ok ", err));
    CLI_TRY(cli_buf_append_plain(buf, found->signature, strlen(found->signature), err));
    if (found->form) {
        CLI_TRY(cli_buf_append_text(buf, ", ", err));
        CLI_TRY(cli_buf_append_text(buf, found->form, err));
    }
    return cli_buf_append_text(buf, "\n", err);
}

static extfn_status append_json(cli_buf *buf, const finding *found, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, "{\"file\":", err));
    CLI_TRY(cli_buf_append_json(buf, found->path, strlen(found->path), err));
    if (found->failure) {
        CLI_TRY(cli_buf_append_text(buf, ",\"error\":", err));
        CLI_TRY(cli_append_error_json(buf, found->failure, err));
    } else {
        CLI_TRY(cli_buf_append_text(buf, ",\"ok\":", err));
        CLI_TRY(cli_buf_append_json(buf, found->signature, strlen(found->signature), err));
    }
    if (found->form) {
        CLI_TRY(cli_buf_append_text(buf, ",\"form\":", err));
        CLI_TRY(cli_buf_append_json(buf, found->form, strlen(found->form), err));
    }
    return cli_buf_append_text(buf, "}\n", err);
}

static extfn_status write_buf(check *run, const cli_buf *line, extfn_error *err)
{
    CLI_TRY(cli_output_write(&run->output, line->data, line->size, err));
    return cli_output_flush(&run->output, err);
}

static extfn_status tell_bad_file(check *run, const char *path, const extfn_error *problem,
                                  extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf line = {0};
    if (run->options->is_json) {
        const finding found = {.path = path, .failure = problem};
        CLI_TRY(append_json(&line, &found, err));
    } else {
        CLI_AUTO(cli_place_clear) cli_place place = cli_place_in_file(path, problem);
        const finding found = {.failure = problem, .place = &place};
        CLI_TRY(append_text(&line, &found, err));
    }
    return write_buf(run, &line, err);
}

static void on_bad_file(const char *path, const extfn_error *problem, void *context)
{
    check *run = context;
    cli_tally_count(&run->tally, EXTFN_EINVAL);
    if (run->status == EXTFN_OK)
        run->status = tell_bad_file(run, path, problem, run->err);
}

static extfn_status check_function(check *run, cli_session *session, extfn_function *function,
                                   extfn_error *err)
{
    extfn_error failure = {0};
    const extfn_call_options call = cli_session_call(session);
    extfn_form form = EXTFN_COMPILED;
    failure.status = extfn_host_check_form(session->host, function, &call, &form, &failure);
    if (failure.status == EXTFN_ECANCELED)
        return cli_fail(err, EXTFN_ECANCELED, "interrupted");
    cli_tally_count(&run->tally, failure.status);

    const char *path = extfn_function_source_path(function);
    path = path ? path : run->options->operands[0];
    CLI_AUTO(cli_text_clear) char *signature = NULL;
    CLI_TRY(extfn_function_signature(function, &signature, err));
    finding found = {.path = path, .signature = signature};
    const cli_place place = cli_place_in_function(function, &failure);
    found.place = &place;
    if (failure.status != EXTFN_OK)
        found.failure = &failure;
    else if (run->options->is_verbose)
        found.form = form == EXTFN_EVALUATED ? "evaluated for each row" : "compiled once";
    CLI_AUTO(cli_buf_clear) cli_buf line = {0};
    CLI_TRY(run->options->is_json ? append_json(&line, &found, err)
                                  : append_text(&line, &found, err));
    return write_buf(run, &line, err);
}

extfn_status cli_cmd_check(const cli_options *options, extfn_error *err)
{
    CLI_AUTO(check_clear) check run = {.options = options, .output = CLI_STDOUT, .err = err};
    CLI_AUTO(cli_registry_clear) extfn_registry *registry = NULL;
    CLI_TRY(cli_library_open(options->operands[0], on_bad_file, &run, &registry, err));
    CLI_TRY(run.status);
    if (run.tally.done == 0 && extfn_registry_is_empty(registry))
        return cli_library_fail_empty(options->operands[0], err);
    CLI_AUTO(cli_session_close) cli_session session = CLI_SESSION_CLOSED;
    CLI_TRY(cli_session_open(options, &session, err));
    for (size_t i = 0; i < extfn_registry_count(registry); i++) {
        CLI_AUTO(cli_function_clear) extfn_function *function = extfn_registry_at(registry, i);
        CLI_TRY(check_function(&run, &session, function, err));
    }
    if (run.tally.failed == 0)
        return EXTFN_OK;
    return cli_fail(err, run.tally.worst, "%zu of %zu functions failed the check; see above",
                    run.tally.failed, run.tally.done);
}
