/* extfn report: a page about all functions over one table. SPDX-License-Identifier: MIT */
#include "cli/alloc.h"
#include "cli/apply_end.h"
#include "cli/blocks.h"
#include "cli/commands.h"
#include "cli/cost.h"
#include "cli/io.h"
#include "cli/library.h"
#include "cli/page_end.h"
#include "cli/progress.h"
#include "cli/session.h"

#include <string.h>

/* One run: input -> reader -> a block of rows -> each function -> its survey; at the end, the page.
 */
typedef struct report {
    const cli_options *options;
    cli_session session;
    cli_input input;
    cli_csv_reader reader;
    cli_survey *surveys; /* one for each function, in the order of their names */
    size_t count;
    cli_table bad_files;
    extfn_status bad_status; /* of noting them */
    extfn_error *err;
    cli_output output;
    cli_progress progress;
    int64_t rows;
    extfn_receipt cost;
} report;

static void report_clear(report *run)
{
    cli_progress_hide(&run->progress);
    cli_session_close(&run->session);
    cli_input_close(&run->input);
    cli_csv_reader_clear(&run->reader);
    for (size_t i = 0; i < run->count; i++)
        cli_survey_clear(&run->surveys[i]);
    cli_free(run->surveys);
    cli_table_clear(&run->bad_files);
    cli_output_close(&run->output);
}

/* ---- The library ---- */

static void on_bad_file(const char *path, const extfn_error *problem, void *context)
{
    (void)path; /* the message begins with it */
    report *run = context;
    if (run->bad_status == EXTFN_OK)
        run->bad_status =
            cli_table_append(&run->bad_files, problem->message, strlen(problem->message), run->err);
}

static extfn_status read_library(report *run, extfn_error *err)
{
    const char *path = run->options->operands[0];
    CLI_AUTO(cli_registry_clear) extfn_registry *registry = NULL;
    CLI_TRY(cli_library_open(path, on_bad_file, run, &registry, err));
    CLI_TRY(run->bad_status);
    size_t count = extfn_registry_count(registry);
    if (count == 0 && run->bad_files.cell_count == 0)
        return cli_library_fail_empty(path, err);
    if (count == 0) {
        size_t size = 0;
        const char *message = cli_table_cell(&run->bad_files, 0, &size);
        return cli_fail(err, EXTFN_ERUNTIME, "%.*s", (int)(size < 500 ? size : 500), message);
    }
    run->surveys = cli_realloc_array(NULL, count, sizeof(*run->surveys));
    if (!run->surveys)
        return cli_fail_oom(err);
    for (; run->count < count; run->count++)
        cli_survey_init(&run->surveys[run->count], extfn_registry_at(registry, run->count));
    return EXTFN_OK;
}

/* ---- The table ---- */

/* What is wrong with the request shows here, before a file is made. */
static extfn_status begin(void *context, extfn_error *err)
{
    report *run = context;
    size_t applied = 0;
    for (size_t i = 0; i < run->count; i++) {
        CLI_TRY(cli_survey_bind(&run->surveys[i], &run->reader, err));
        applied += run->surveys[i].refusal.size == 0;
    }
    if (applied == 0) {
        const cli_survey *first = &run->surveys[0];
        return cli_fail(err, EXTFN_EINVAL, "%s: no function fits the table; for %s: %s",
                        run->reader.label, extfn_function_name(first->function),
                        first->refusal.data);
    }
    if (run->options->output && strcmp(run->options->output, "-") != 0)
        return cli_output_create(run->options->output, &run->output, err);
    return EXTFN_OK;
}

/* What is wrong with one function is told on the page, and the others go on. */
static bool ends_all(extfn_status status)
{
    return status == EXTFN_ECANCELED || status == EXTFN_ENOMEM || status == EXTFN_ESANDBOX ||
           status == EXTFN_EIO;
}

static void column_clear(extfn_column **slot)
{
    extfn_column_free(*slot);
}

static extfn_status evaluate(report *run, cli_survey *survey, size_t rows, extfn_error *err)
{
    CLI_AUTO(cli_columns_clear) cli_columns columns = {0};
    CLI_TRY(cli_columns_read(&survey->bindings, &run->reader, &columns, err));
    extfn_call_options call = cli_session_call(&run->session);
    call.on_progress = cli_progress_rows;
    call.context = &run->progress;
    call.receipt = &run->session.receipt;
    const extfn_column *inputs[EXTFN_ARGUMENT_LIMIT];
    memcpy(inputs, columns.columns, sizeof(inputs));
    CLI_AUTO(column_clear) extfn_column *results = NULL;
    survey->failure.status =
        extfn_host_apply(run->session.host, survey->function, inputs, columns.count, (int64_t)rows,
                         &call, &results, &survey->failure);
    if (run->session.output.stdout_size > 0 || run->session.output.stderr_size > 0)
        cli_progress_hide(&run->progress);
    cli_session_show_output(&run->session);
    cli_cost_add(&survey->cost, &run->session.receipt);
    cli_cost_add(&run->cost, &run->session.receipt);
    run->progress.rows_before += (int64_t)rows;
    if (ends_all(survey->failure.status)) {
        *err = survey->failure;
        return err->status;
    }
    return survey->failure.status == EXTFN_OK ? cli_survey_add(survey, &run->reader, results, err)
                                              : EXTFN_OK;
}

static extfn_status process_block(void *context, extfn_error *err)
{
    report *run = context;
    size_t rows = cli_csv_reader_rows(&run->reader);
    for (size_t i = 0; i < run->count && rows > 0; i++) {
        cli_survey *survey = &run->surveys[i];
        if (survey->refusal.size == 0 && survey->failure.status == EXTFN_OK)
            CLI_TRY(evaluate(run, survey, rows, err));
    }
    cli_csv_reader_drop_rows(&run->reader);
    run->rows += (int64_t)rows;
    return EXTFN_OK;
}

static extfn_status process(report *run, extfn_error *err)
{
    const cli_blocks blocks = {.begin = begin, .take = process_block};
    return cli_blocks_read(&run->input, &run->reader, &blocks, run, err);
}

/* ---- The page ---- */

static extfn_status write_page(report *run, extfn_error *err)
{
    const char *table = run->options->operands[1];
    const cli_page page = {.library = run->options->operands[0],
                           .table = strcmp(table, "-") == 0 ? "standard input" : table,
                           .made = time(NULL),
                           .rows = run->rows,
                           .surveys = run->surveys,
                           .count = run->count,
                           .bad_files = &run->bad_files};
    CLI_TRY(cli_page_write(&page, &run->output, err));
    CLI_TRY(cli_output_commit(&run->output, err));
    return cli_page_end(run->options, &page, &run->cost, err);
}

extfn_status cli_cmd_report(const cli_options *options, extfn_error *err)
{
    CLI_TRY(cli_page_check(options, err));
    CLI_AUTO(report_clear)
    report run = {.options = options,
                  .session = CLI_SESSION_CLOSED,
                  .output = CLI_STDOUT,
                  .err = err};
    cli_csv_reader_init(&run.reader, options->operands[1]);
    CLI_TRY(read_library(&run, err));
    CLI_TRY(cli_input_open(options->operands[1], &run.input, err));
    CLI_TRY(cli_session_open(options, &run.session, err));
    cli_progress_start(&run.progress, options->output);
    extfn_status status = process(&run, err);
    cli_progress_hide(&run.progress);
    if (status != EXTFN_OK)
        return options->is_json ? cli_apply_fail(options, NULL, status, err) : status;
    return write_page(&run, err);
}
