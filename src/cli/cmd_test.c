/* extfn test: runs the examples that stand in function files. SPDX-License-Identifier: MIT */
#include "cli/commands.h"
#include "cli/example.h"
#include "cli/io.h"
#include "cli/library.h"
#include "cli/result.h"
#include "cli/session.h"
#include "cli/tally.h"
#include "cli/tell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct test {
    const cli_options *options;
    cli_session session;
    cli_output output;
    cli_tally tally;
    extfn_status status; /* of writing */
    extfn_error *err;
} test;

static void test_clear(test *run)
{
    cli_session_close(&run->session);
    cli_output_close(&run->output);
}

/* One example, and what came of it. */
typedef struct finding {
    const char *path;
    const char *text;
    size_t size;
    int64_t line;
    const extfn_error *problem; /* EXTFN_OK unless the example cannot be read */
    bool has_passed;
    cli_outcome_of_call outcome;
} finding;

/* ---- What is told ---- */

static extfn_status write_line(test *run, cli_buf *line, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(line, "\n", err));
    CLI_TRY(cli_output_write(&run->output, line->data, line->size, err));
    return cli_output_flush(&run->output, err);
}

static extfn_status append_got(cli_buf *buf, const extfn_value *value, extfn_error *err)
{
    CLI_AUTO(cli_text_clear) char *text = NULL;
    size_t size = 0;
    CLI_TRY(cli_buf_append_text(buf, ": got ", err));
    if (value->type == EXTFN_TEXT) {
        CLI_TRY(extfn_value_to_json(value, &text, err));
        return cli_buf_append_plain(buf, text, strlen(text), err);
    }
    CLI_TRY(extfn_value_format(value, &text, &size, err));
    return cli_buf_append_plain(buf, text, size, err);
}

static extfn_status append_text(cli_buf *buf, const finding *found, extfn_error *err)
{
    char place[32];
    (void)snprintf(place, sizeof(place), ":%" PRId64 ": %s", found->line,
                   found->has_passed ? "ok " : "");
    CLI_TRY(cli_buf_append_text(buf, found->path, err));
    CLI_TRY(cli_buf_append_text(buf, place, err));
    CLI_TRY(cli_buf_append_plain(buf, found->text, found->size, err));
    if (found->has_passed)
        return EXTFN_OK;
    bool is_unreadable = found->problem->status != EXTFN_OK;
    const extfn_error *failure = is_unreadable ? found->problem : found->outcome.failure;
    if (failure->status == EXTFN_OK)
        return append_got(buf, found->outcome.value, err);
    CLI_TRY(cli_buf_append_text(buf, is_unreadable ? ": " : ": got error: ", err));
    return cli_buf_append_plain(buf, failure->message, strlen(failure->message), err);
}

static extfn_status append_json(cli_buf *buf, const finding *found, extfn_error *err)
{
    char line[48];
    (void)snprintf(line, sizeof(line), ",\"line\":%" PRId64 ",\"example\":", found->line);
    CLI_TRY(cli_buf_append_text(buf, "{\"file\":", err));
    CLI_TRY(cli_buf_append_json(buf, found->path, strlen(found->path), err));
    CLI_TRY(cli_buf_append_text(buf, line, err));
    CLI_TRY(cli_buf_append_json(buf, found->text, found->size, err));
    CLI_TRY(cli_buf_append_text(buf, found->has_passed ? ",\"passed\":true" : ",\"passed\":false",
                                err));
    if (found->problem->status != EXTFN_OK) {
        CLI_TRY(cli_buf_append_text(buf, ",\"problem\":", err));
        const char *message = found->problem->message;
        CLI_TRY(cli_buf_append_json(buf, message, strlen(message), err));
    } else {
        CLI_TRY(cli_buf_append_text(buf, ",\"result\":", err));
        CLI_TRY(cli_append_outcome_json(buf, &found->outcome, err));
    }
    return cli_buf_append_text(buf, "}", err);
}

static extfn_status tell(test *run, const finding *found, extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf line = {0};
    CLI_TRY(run->options->is_json ? append_json(&line, found, err)
                                  : append_text(&line, found, err));
    return write_line(run, &line, err);
}

static extfn_status tell_untested(test *run, const char *path, const extfn_function *function,
                                  extfn_error *err)
{
    CLI_AUTO(cli_text_clear) char *signature = NULL;
    CLI_TRY(extfn_function_signature(function, &signature, err));
    CLI_AUTO(cli_buf_clear) cli_buf line = {0};
    if (run->options->is_json) {
        CLI_TRY(cli_buf_append_text(&line, "{\"file\":", err));
        CLI_TRY(cli_buf_append_json(&line, path, strlen(path), err));
        CLI_TRY(cli_buf_append_text(&line, ",\"signature\":", err));
        CLI_TRY(cli_buf_append_json(&line, signature, strlen(signature), err));
        CLI_TRY(cli_buf_append_text(&line, ",\"examples\":0}", err));
        return write_line(run, &line, err);
    }
    CLI_TRY(cli_buf_append_text(&line, path, err));
    CLI_TRY(cli_buf_append_text(&line, ": no examples of ", err));
    CLI_TRY(cli_buf_append_text(&line, signature, err));
    return write_line(run, &line, err);
}

static extfn_status tell_bad_file(test *run, const char *path, const extfn_error *problem,
                                  extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf line = {0};
    if (run->options->is_json) {
        CLI_TRY(cli_buf_append_text(&line, "{\"file\":", err));
        CLI_TRY(cli_buf_append_json(&line, path, strlen(path), err));
        CLI_TRY(cli_buf_append_text(&line, ",\"error\":", err));
        CLI_TRY(cli_append_error_json(&line, problem, err));
        CLI_TRY(cli_buf_append_text(&line, "}", err));
    } else {
        CLI_TRY(cli_buf_append_plain(&line, problem->message, strlen(problem->message), err));
    }
    return write_line(run, &line, err);
}

/* ---- What is done ---- */

static void on_bad_file(const char *path, const extfn_error *problem, void *context)
{
    test *run = context;
    cli_tally_count(&run->tally, EXTFN_EINVAL);
    if (run->status == EXTFN_OK)
        run->status = tell_bad_file(run, path, problem, run->err);
}

/* A failure that says nothing about the function holds for no example. */
static bool is_of_the_machine(extfn_status status)
{
    return status == EXTFN_EUNAVAILABLE || status == EXTFN_ESANDBOX || status == EXTFN_ENOMEM;
}

static bool is_as_told(const cli_example *example, const extfn_value *value,
                       const extfn_error *failure)
{
    if (example->message.size == 0)
        return failure->status == EXTFN_OK && extfn_value_is_equal(value, &example->expected);
    return failure->status != EXTFN_OK && !is_of_the_machine(failure->status) &&
           strstr(failure->message, example->message.data);
}

static extfn_status run_example(test *run, extfn_function *function, const finding *place,
                                extfn_error *err)
{
    finding found = *place;
    extfn_error problem = {0};
    CLI_AUTO(cli_example_clear) cli_example example = {0};
    found.problem = &problem;
    problem.status = cli_example_parse(function, found.text, found.size, &example, &problem);
    if (problem.status != EXTFN_OK) {
        cli_tally_count(&run->tally, problem.status);
        return tell(run, &found, err);
    }
    CLI_AUTO(extfn_value_clear) extfn_value value = {0};
    extfn_error failure = {0};
    const extfn_call_options call = cli_session_call(&run->session);
    failure.status = extfn_host_eval(run->session.host, function, example.arguments,
                                     example.argument_count, &call, &value, &failure);
    if (failure.status == EXTFN_ECANCELED)
        return cli_fail(err, EXTFN_ECANCELED, "interrupted");
    found.has_passed = is_as_told(&example, &value, &failure);
    found.outcome =
        (cli_outcome_of_call){.value = &value, .failure = &failure, .output = &run->session.output};
    extfn_status counted = is_of_the_machine(failure.status) ? failure.status : EXTFN_ERUNTIME;
    cli_tally_count(&run->tally, found.has_passed ? EXTFN_OK : counted);
    CLI_TRY(tell(run, &found, err));
    if (!run->options->is_json)
        cli_session_show_output(&run->session);
    return EXTFN_OK;
}

static extfn_status run_function(test *run, extfn_function *function, extfn_error *err)
{
    const char *path = extfn_function_source_path(function);
    finding found = {.path = path ? path : run->options->operands[0]};
    bool is_any = false;
    cli_example_cursor cursor = cli_example_start(function);
    while (cli_example_next(&cursor, &found.text, &found.size, &found.line)) {
        is_any = true;
        CLI_TRY(run_example(run, function, &found, err));
    }
    return is_any ? EXTFN_OK : tell_untested(run, found.path, function, err);
}

static extfn_status run_named(test *run, extfn_error *err)
{
    const char *const *operands = run->options->operands;
    for (size_t i = 1; i < run->options->operand_count; i++) {
        CLI_AUTO(cli_function_clear) extfn_function *function = NULL;
        CLI_TRY(cli_library_find(operands[0], operands[i], &function, err));
        CLI_TRY(run_function(run, function, err));
    }
    return EXTFN_OK;
}

static extfn_status run_all(test *run, extfn_error *err)
{
    const char *path = run->options->operands[0];
    CLI_AUTO(cli_registry_clear) extfn_registry *registry = NULL;
    CLI_TRY(cli_library_open(path, on_bad_file, run, &registry, err));
    CLI_TRY(run->status);
    if (run->tally.done == 0 && extfn_registry_is_empty(registry))
        return cli_library_fail_empty(path, err);
    for (size_t i = 0; i < extfn_registry_count(registry); i++) {
        CLI_AUTO(cli_function_clear) extfn_function *function = extfn_registry_at(registry, i);
        CLI_TRY(run_function(run, function, err));
    }
    return EXTFN_OK;
}

extfn_status cli_cmd_test(const cli_options *options, extfn_error *err)
{
    CLI_AUTO(test_clear)
    test run = {.options = options,
                .session = CLI_SESSION_CLOSED,
                .output = CLI_STDOUT,
                .err = err};
    CLI_TRY(cli_session_open(options, &run.session, err));
    CLI_TRY(options->operand_count > 1 ? run_named(&run, err) : run_all(&run, err));
    if (run.tally.done == 0) {
        return cli_fail(err, EXTFN_EINVAL,
                        "no examples in %s; 'extfn test --help' shows how they are written",
                        options->operands[0]);
    }
    if (run.tally.failed == 0)
        return EXTFN_OK;
    return cli_fail(err, run.tally.worst, "%zu of %zu examples failed; see above", run.tally.failed,
                    run.tally.done);
}
