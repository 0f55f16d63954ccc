/* extfn bench: calls and rows a second, each beside a fresh sandboxed process per call.
 * SPDX-License-Identifier: MIT */
#include "cli/bench.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/io.h"
#include "cli/tell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Of one language; what failed stands in `failure`. */
typedef struct finding {
    extfn_language language;
    cli_speed speed;
    extfn_error failure;
} finding;

/* ---- What is told ---- */

/* 1.23 million, or the digits before the point. */
static void write_amount(double value, char *ret_text, size_t size)
{
    if (value >= 1e6)
        (void)snprintf(ret_text, size, "%.3g million", value / 1e6);
    else
        (void)snprintf(ret_text, size, "%.*f", value < 10 ? 1 : 0, value);
}

/* Each row compares with a call that has a fresh process. */
static extfn_status append_head(cli_buf *buf, extfn_error *err)
{
    char line[120];
    (void)snprintf(line, sizeof(line), "%-8s  %14s  %14s  %14s  %13s  %13s\n", "language",
                   "warm calls/s", "rows/s", "fresh calls/s", "call times", "row times");
    return cli_buf_append_text(buf, line, err);
}

static extfn_status append_text(cli_buf *buf, const finding *found, extfn_error *err)
{
    const char *name = extfn_language_text(found->language);
    char line[200];
    if (found->failure.status != EXTFN_OK) {
        (void)snprintf(line, sizeof(line), "%-8s  ", name);
        CLI_TRY(cli_buf_append_text(buf, line, err));
        CLI_TRY(
            cli_buf_append_plain(buf, found->failure.message, strlen(found->failure.message), err));
        return cli_buf_append_text(buf, "\n", err);
    }
    const cli_speed *speed = &found->speed;
    char texts[5][24];
    const double values[] = {speed->calls, speed->rows, speed->fresh_calls,
                             speed->calls / speed->fresh_calls, speed->rows / speed->fresh_calls};
    for (size_t i = 0; i < 5; i++)
        write_amount(values[i], texts[i], sizeof(texts[i]));
    (void)snprintf(line, sizeof(line), "%-8s  %14s  %14s  %14s  %13s  %13s\n", name, texts[0],
                   texts[1], texts[2], texts[3], texts[4]);
    return cli_buf_append_text(buf, line, err);
}

static extfn_status append_json(cli_buf *buf, const finding *found, bool is_first, extfn_error *err)
{
    const char *name = extfn_language_text(found->language);
    char text[240];
    CLI_TRY(cli_buf_append_text(buf, is_first ? "{" : ",\n", err));
    CLI_TRY(cli_buf_append_json(buf, name, strlen(name), err));
    if (found->failure.status != EXTFN_OK) {
        CLI_TRY(cli_buf_append_text(buf, ":{\"error\":", err));
        CLI_TRY(cli_append_error_json(buf, &found->failure, err));
        return cli_buf_append_text(buf, "}", err);
    }
    const cli_speed *speed = &found->speed;
    (void)snprintf(text, sizeof(text),
                   ":{\"calls_per_second\":%.6g,\"rows_per_second\":%.6g,"
                   "\"fresh_calls_per_second\":%.6g,\"column_rows\":%" PRId64 "}",
                   speed->calls, speed->rows, speed->fresh_calls, speed->column_rows);
    return cli_buf_append_text(buf, text, err);
}

/* ---- What is done ---- */

static extfn_status find_wanted(const cli_options *options, bool ret_wanted[EXTFN_LANGUAGE_COUNT],
                                extfn_error *err)
{
    for (size_t i = 0; i < EXTFN_LANGUAGE_COUNT; i++)
        ret_wanted[i] = options->operand_count == 0;
    for (size_t i = 0; i < options->operand_count; i++) {
        extfn_language language = EXTFN_PYTHON;
        CLI_TRY(extfn_language_parse(options->operands[i], &language, err));
        ret_wanted[language] = true;
    }
    return EXTFN_OK;
}

/* Neither a missing language nor one that fails keeps the others from being measured. */
static void examine(cli_session *session, finding *found)
{
    char *path = NULL;
    char *version = NULL;
    extfn_error *failure = &found->failure;
    failure->status =
        extfn_host_probe_language(session->host, found->language, &path, &version, failure);
    if (failure->status == EXTFN_OK)
        failure->status = cli_bench_measure(session, found->language, &found->speed, failure);
    extfn_text_free(path);
    extfn_text_free(version);
    cli_session_show_output(session);
}

static extfn_status tell(cli_output *output, const cli_options *options, const finding *found,
                         bool is_first, extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
    if (options->is_json) {
        CLI_TRY(append_json(&buf, found, is_first, err));
    } else {
        if (is_first)
            CLI_TRY(append_head(&buf, err));
        CLI_TRY(append_text(&buf, found, err));
    }
    CLI_TRY(cli_output_write(output, buf.data, buf.size, err));
    return options->is_json ? EXTFN_OK : cli_output_flush(output, err);
}

/* The languages that are missing matter only where nothing else could be measured. */
static extfn_status conclude(const finding *findings, size_t count, extfn_error *err)
{
    const extfn_error *missing = NULL;
    bool is_any_measured = false;
    for (size_t i = 0; i < count; i++) {
        const extfn_error *failure = &findings[i].failure;
        is_any_measured = is_any_measured || failure->status == EXTFN_OK;
        if (failure->status == EXTFN_EUNAVAILABLE) {
            missing = missing ? missing : failure;
        } else if (failure->status != EXTFN_OK) {
            *err = *failure;
            return failure->status;
        }
    }
    if (is_any_measured || !missing)
        return EXTFN_OK;
    *err = *missing;
    return missing->status;
}

static extfn_status run(const cli_options *options, cli_session *session,
                        const bool wanted[EXTFN_LANGUAGE_COUNT], cli_output *output,
                        extfn_error *err)
{
    finding findings[EXTFN_LANGUAGE_COUNT] = {0};
    size_t count = 0;
    for (extfn_language language = 0; language < EXTFN_LANGUAGE_COUNT; language++) {
        if (!wanted[language])
            continue;
        findings[count].language = language;
        examine(session, &findings[count]);
        if (cli_interrupt_signal() != 0)
            return cli_fail(err, EXTFN_ECANCELED, "interrupted");
        CLI_TRY(tell(output, options, &findings[count], count == 0, err));
        count++;
    }
    if (options->is_json)
        CLI_TRY(cli_output_write_text(output, "}\n", err));
    CLI_TRY(cli_output_flush(output, err));
    return conclude(findings, count, err);
}

extfn_status cli_cmd_bench(const cli_options *options, extfn_error *err)
{
    bool wanted[EXTFN_LANGUAGE_COUNT];
    CLI_TRY(find_wanted(options, wanted, err));
    CLI_AUTO(cli_session_close) cli_session session = CLI_SESSION_CLOSED;
    CLI_TRY(cli_session_open(options, &session, err));
    CLI_AUTO(cli_output_close) cli_output output = CLI_STDOUT;
    return run(options, &session, wanted, &output, err);
}
