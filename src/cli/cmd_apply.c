/* extfn apply: one function over a table, a block of rows at a time. SPDX-License-Identifier: MIT
 */
#include "cli/apply_columns.h"
#include "cli/apply_end.h"
#include "cli/apply_tables.h"
#include "cli/blocks.h"
#include "cli/commands.h"
#include "cli/cost.h"
#include "cli/csv_write.h"
#include "cli/io.h"
#include "cli/library.h"
#include "cli/progress.h"
#include "cli/session.h"

#include <string.h>

/* One run: input -> reader -> columns -> host -> result -> output, a block of rows at a time. */
typedef struct apply {
    const cli_options *options;
    extfn_function *function;
    cli_session session;
    cli_input input;
    cli_csv_reader reader;
    cli_bindings bindings;
    cli_buf result_name;
    cli_buf error_name;
    cli_output output;
    cli_buf line;
    cli_progress progress;
    int64_t rows;
    int64_t failed;
    extfn_receipt cost;
} apply;

static void apply_clear(apply *run)
{
    cli_progress_hide(&run->progress);
    cli_session_close(&run->session);
    cli_input_close(&run->input);
    cli_csv_reader_clear(&run->reader);
    cli_buf_clear(&run->result_name);
    cli_buf_clear(&run->error_name);
    cli_output_close(&run->output);
    cli_buf_clear(&run->line);
    extfn_function_unref(run->function);
}

/* The result's column and that of the errors are both named after the former. */
static extfn_status check_new_column(const apply *run, const char *name, extfn_error *err)
{
    size_t position = 0;
    extfn_error ignored = {0};
    if (cli_header_find(&run->reader, name, &position, &ignored) == EXTFN_ENOTFOUND)
        return EXTFN_OK;
    if (!run->options->column) {
        return cli_fail(err, EXTFN_EINVAL,
                        "%s: there is a column '%s' already; give the result's another name with "
                        "--column NAME",
                        run->reader.label, name);
    }
    return cli_fail(err, EXTFN_EINVAL,
                    "%s: there is a column '%s' already; choose another name than '%s'",
                    run->reader.label, name, run->options->column);
}

static extfn_status name_columns(apply *run, extfn_error *err)
{
    const char *name = run->options->column;
    name = name ? name : extfn_function_name(run->function);
    CLI_TRY(cli_buf_append_text(&run->result_name, name, err));
    CLI_TRY(cli_buf_append_text(&run->error_name, name, err));
    CLI_TRY(cli_buf_append_text(&run->error_name, "_error", err));
    CLI_TRY(check_new_column(run, run->result_name.data, err));
    return check_new_column(run, run->error_name.data, err);
}

typedef struct text {
    const char *data;
    size_t size;
} text;

/* Writes a row of the table (its first cell is `first`) with the two cells that are ours. */
static extfn_status write_row(apply *run, const cli_table *table, size_t first, text result,
                              text failure, extfn_error *err)
{
    cli_buf *line = &run->line;
    line->size = 0;
    for (size_t i = 0; i < run->reader.columns; i++) {
        size_t size = 0;
        const char *cell = cli_table_cell(table, first + i, &size);
        CLI_TRY(cli_csv_append_cell(line, cell, size, err));
        CLI_TRY(cli_buf_append(line, ",", 1, err));
    }
    CLI_TRY(cli_csv_append_cell(line, result.data, result.size, err));
    CLI_TRY(cli_buf_append(line, ",", 1, err));
    CLI_TRY(cli_csv_append_cell(line, failure.data, failure.size, err));
    CLI_TRY(cli_buf_append_text(line, run->reader.ends_lines_with_cr ? "\r\n" : "\n", err));
    return cli_output_write(&run->output, line->data, line->size, err);
}

/* What is wrong with the request shows here, before a file is made. */
static extfn_status begin(void *context, extfn_error *err)
{
    apply *run = context;
    CLI_TRY(cli_bindings_make(run->function, &run->reader, &run->bindings, err));
    CLI_TRY(name_columns(run, err));
    if (run->options->output && strcmp(run->options->output, "-") != 0)
        CLI_TRY(cli_output_create(run->options->output, &run->output, err));
    if (run->reader.has_bom)
        CLI_TRY(cli_output_write_text(&run->output, "\xEF\xBB\xBF", err));
    text result = {run->result_name.data, run->result_name.size};
    text failure = {run->error_name.data, run->error_name.size};
    CLI_TRY(write_row(run, &run->reader.header, 0, result, failure, err));
    return EXTFN_OK;
}

static extfn_status write_result(apply *run, const extfn_column *column, size_t row,
                                 extfn_error *err)
{
    CLI_AUTO(extfn_value_clear) extfn_value value = {0};
    CLI_TRY(extfn_column_get(column, (int64_t)row, &value, err));
    CLI_AUTO(cli_text_clear) char *data = NULL;
    size_t size = 0;
    CLI_TRY(extfn_value_format(&value, &data, &size, err));
    bool is_failed = value.type == EXTFN_ERROR;
    run->failed += is_failed;
    text told = {data, size};
    text nothing = {"", 0};
    return write_row(run, &run->reader.rows, row * run->reader.columns, is_failed ? nothing : told,
                     is_failed ? told : nothing, err);
}

/* Evaluates the rows of the block; the result is the caller's. */
static extfn_status evaluate(apply *run, size_t rows, extfn_column **ret_column, extfn_error *err)
{
    CLI_AUTO(cli_columns_clear) cli_columns columns = {0};
    CLI_TRY(cli_columns_read(&run->bindings, &run->reader, &columns, err));
    extfn_call_options call = cli_session_call(&run->session);
    call.on_progress = cli_progress_rows;
    call.context = &run->progress;
    const extfn_column *inputs[EXTFN_ARGUMENT_LIMIT];
    memcpy(inputs, columns.columns, sizeof(inputs));
    extfn_status status = extfn_host_apply(run->session.host, run->function, inputs, columns.count,
                                           (int64_t)rows, &call, ret_column, err);
    if (run->session.output.stdout_size > 0 || run->session.output.stderr_size > 0)
        cli_progress_hide(&run->progress);
    cli_session_show_output(&run->session);
    cli_cost_add(&run->cost, &run->session.receipt);
    return status;
}

static void column_clear(extfn_column **slot)
{
    extfn_column_free(*slot);
}

static extfn_status process_block(void *context, extfn_error *err)
{
    apply *run = context;
    size_t rows = cli_csv_reader_rows(&run->reader);
    if (rows == 0)
        return EXTFN_OK;
    CLI_AUTO(column_clear) extfn_column *column = NULL;
    CLI_TRY(evaluate(run, rows, &column, err));
    for (size_t row = 0; row < rows; row++)
        CLI_TRY(write_result(run, column, row, err));
    cli_csv_reader_drop_rows(&run->reader);
    run->rows += (int64_t)rows;
    run->progress.rows_before = run->rows;
    return EXTFN_OK;
}

static extfn_status process(apply *run, extfn_error *err)
{
    const cli_blocks blocks = {.begin = begin, .take = process_block};
    CLI_TRY(cli_blocks_read(&run->input, &run->reader, &blocks, run, err));
    return cli_output_commit(&run->output, err);
}

extfn_status cli_cmd_apply(const cli_options *options, extfn_error *err)
{
    CLI_TRY(cli_apply_check(options, err));
    if (options->operand_count > 3)
        return cli_apply_tables(options, err);
    CLI_AUTO(apply_clear)
    apply run = {.options = options, .session = CLI_SESSION_CLOSED, .output = CLI_STDOUT};
    cli_csv_reader_init(&run.reader, options->operands[2]);
    CLI_TRY(cli_library_find(options->operands[0], options->operands[1], &run.function, err));
    CLI_TRY(cli_input_open(options->operands[2], &run.input, err));
    CLI_TRY(cli_session_open(options, &run.session, err));
    cli_progress_start(&run.progress, options->output);
    extfn_status status = process(&run, err);
    cli_progress_hide(&run.progress);
    if (status != EXTFN_OK) {
        cli_cost_tell(&run.cost);
        cli_session_close(&run.session);
        return cli_apply_fail(options, run.function, status, err);
    }
    const cli_applied done = {.options = options,
                              .column = run.result_name.data,
                              .error_column = run.error_name.data,
                              .rows = run.rows,
                              .failed = run.failed,
                              .cost = &run.cost};
    return cli_apply_end(&done, err);
}
