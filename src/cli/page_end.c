/* A report told as JSON, and its exit status. SPDX-License-Identifier: MIT */
#include "cli/page_end.h"

#include "cli/apply_end.h"
#include "cli/cost.h"
#include "cli/library.h"
#include "cli/tally.h"
#include "cli/tell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

extfn_status cli_page_check(const cli_options *options, extfn_error *err)
{
    CLI_TRY(cli_apply_check_format(options->operands[1], err));
    if (options->is_json && (!options->output || strcmp(options->output, "-") == 0)) {
        return cli_fail(err, EXTFN_EINVAL,
                        "with --json stdout tells of the page; write the page itself to a file "
                        "with -o FILE");
    }
    return EXTFN_OK;
}

/* ---- JSON ---- */

static extfn_status append_survey(cli_buf *line, const cli_survey *survey, extfn_error *err)
{
    const char *name = extfn_function_name(survey->function);
    CLI_TRY(cli_buf_append_text(line, "{\"name\":", err));
    CLI_TRY(cli_buf_append_json(line, name, strlen(name), err));
    if (survey->refusal.size > 0) {
        CLI_TRY(cli_buf_append_text(line, ",\"not_applied\":", err));
        CLI_TRY(cli_buf_append_json(line, survey->refusal.data, survey->refusal.size, err));
        return cli_buf_append_text(line, "}", err);
    }
    char counts[80];
    (void)snprintf(counts, sizeof(counts), ",\"rows\":%" PRId64 ",\"failed\":%" PRId64,
                   survey->rows, survey->failed);
    CLI_TRY(cli_buf_append_text(line, counts, err));
    if (survey->failure.status != EXTFN_OK) {
        CLI_TRY(cli_buf_append_text(line, ",\"error\":", err));
        CLI_TRY(cli_append_error_json(line, &survey->failure, err));
    }
    return cli_buf_append_text(line, "}", err);
}

static extfn_status append_functions(cli_buf *line, const cli_page *page, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(line, ",\"functions\":[", err));
    for (size_t i = 0; i < page->count; i++) {
        CLI_TRY(cli_buf_append_text(line, i > 0 ? "," : "", err));
        CLI_TRY(append_survey(line, &page->surveys[i], err));
    }
    return cli_buf_append_text(line, "]", err);
}

static extfn_status append_bad_files(cli_buf *line, const cli_table *bad_files, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(line, ",\"bad_files\":[", err));
    for (size_t i = 0; i < bad_files->cell_count; i++) {
        size_t size = 0;
        const char *message = cli_table_cell(bad_files, i, &size);
        CLI_TRY(cli_buf_append_text(line, i > 0 ? "," : "", err));
        CLI_TRY(cli_buf_append_json(line, message, size, err));
    }
    return cli_buf_append_text(line, "]", err);
}

static extfn_status append_cost(cli_buf *line, const extfn_receipt *cost, extfn_error *err)
{
    CLI_AUTO(cli_text_clear) char *text = NULL;
    CLI_TRY(extfn_receipt_to_json(cost, &text, err));
    CLI_TRY(cli_buf_append_text(line, ",\"cost\":", err));
    return cli_buf_append_text(line, text, err);
}

static extfn_status append_object(cli_buf *line, const cli_options *options, const cli_page *page,
                                  const extfn_receipt *cost, extfn_error *err)
{
    char rows[40];
    (void)snprintf(rows, sizeof(rows), ",\"rows\":%" PRId64, page->rows);
    CLI_TRY(cli_buf_append_text(line, "{\"file\":", err));
    CLI_TRY(cli_buf_append_json(line, options->output, strlen(options->output), err));
    CLI_TRY(cli_buf_append_text(line, rows, err));
    CLI_TRY(append_functions(line, page, err));
    CLI_TRY(append_bad_files(line, page->bad_files, err));
    if (options->is_cost_told)
        CLI_TRY(append_cost(line, cost, err));
    return cli_buf_append_text(line, "}\n", err);
}

static extfn_status write_json(const cli_options *options, const cli_page *page,
                               const extfn_receipt *cost, extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf line = {0};
    CLI_AUTO(cli_output_close) cli_output output = CLI_STDOUT;
    CLI_TRY(append_object(&line, options, page, cost, err));
    CLI_TRY(cli_output_write(&output, line.data, line.size, err));
    return cli_output_flush(&output, err);
}

/* ---- The exit status ---- */

static extfn_status conclude(const cli_options *options, const cli_page *page, extfn_error *err)
{
    cli_tally whole = {0};
    int64_t rows = 0;
    int64_t failed = 0;
    for (size_t i = 0; i < page->count; i++) {
        cli_tally_count(&whole, page->surveys[i].failure.status);
        rows += page->surveys[i].rows;
        failed += page->surveys[i].failed;
    }
    for (size_t i = 0; i < page->bad_files->cell_count; i++)
        cli_tally_count(&whole, EXTFN_EINVAL);
    bool is_told = failed > 0 && !options->is_keeping_going;
    if (whole.failed > 0) {
        extfn_status status = is_told ? EXTFN_ERUNTIME : whole.worst;
        return cli_fail(err, status, "%zu of %zu functions could not be evaluated; see the page",
                        whole.failed, whole.done);
    }
    if (!is_told)
        return EXTFN_OK;
    return cli_fail(err, EXTFN_ERUNTIME,
                    "%" PRId64 " of %" PRId64 " evaluations failed; see the page", failed, rows);
}

extfn_status cli_page_end(const cli_options *options, const cli_page *page,
                          const extfn_receipt *cost, extfn_error *err)
{
    if (options->is_json)
        CLI_TRY(write_json(options, page, cost, err));
    else if (options->is_cost_told)
        cli_cost_tell(cost);
    extfn_status status = conclude(options, page, err);
    if (options->is_json && status != EXTFN_OK)
        err->message[0] = '\0';
    return status;
}
