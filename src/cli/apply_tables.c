#include "cli/apply_tables.h"

#include "cli/apply_end.h"
#include "cli/cost.h"
#include "cli/csv_write.h"
#include "cli/io.h"
#include "cli/library.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/sheet.h"
#include "cli/tell.h"

#include <stdio.h>
#include <string.h>

typedef struct run {
    const cli_options *options;
    extfn_function *function;
    cli_session session;
    cli_sheet sheet;
    extfn_cells *cells;
    cli_buf result_name;
    cli_buf error_name;
    cli_output output;
    cli_buf line;
    cli_progress progress;
    int64_t failed;
} run;

static void run_clear(run *it)
{
    cli_progress_hide(&it->progress);
    cli_session_close(&it->session);
    extfn_cells_free(it->cells);
    cli_sheet_clear(&it->sheet);
    cli_buf_clear(&it->result_name);
    cli_buf_clear(&it->error_name);
    cli_output_close(&it->output);
    cli_buf_clear(&it->line);
    extfn_function_unref(it->function);
}

static extfn_status name_columns(run *it, extfn_error *err)
{
    const char *given = it->options->column;
    const char *name = given ? given : extfn_function_name(it->function);
    CLI_TRY(cli_buf_append_text(&it->result_name, name, err));
    CLI_TRY(cli_buf_append_text(&it->error_name, name, err));
    CLI_TRY(cli_buf_append_text(&it->error_name, "_error", err));
    for (size_t i = 0; i < it->sheet.axis_count; i++) {
        const char *axis = it->sheet.axes[i].name.data;
        if (strcmp(axis, it->result_name.data) == 0 || strcmp(axis, it->error_name.data) == 0) {
            return cli_fail(err, EXTFN_EINVAL,
                            "there is a column '%s' already; give the result's another name with "
                            "--column NAME",
                            axis);
        }
    }
    return EXTFN_OK;
}

static bool is_reached(const cli_leaf *leaf, const bool reached[CLI_AXES_LIMIT])
{
    for (size_t i = 0; i < leaf->dimension_count; i++) {
        if (reached[leaf->axes[i]])
            return true;
    }
    return false;
}

/* The columns of the leaf, and of all that can be joined to it by a column that they share. */
static void reach(const cli_sheet *sheet, const cli_leaf *from, bool reached[CLI_AXES_LIMIT])
{
    for (size_t i = 0; i < from->dimension_count; i++)
        reached[from->axes[i]] = true;
    for (size_t round = 0; round < sheet->leaf_count; round++) {
        for (size_t i = 0; i < sheet->leaf_count; i++) {
            const cli_leaf *leaf = &sheet->leaves[i];
            for (size_t d = 0; is_reached(leaf, reached) && d < leaf->dimension_count; d++)
                reached[leaf->axes[d]] = true;
        }
    }
}

/* That nothing joins two tables may be meant, or be two names that differ by a letter. */
static void warn_of_pairs(const cli_sheet *sheet)
{
    bool reached[CLI_AXES_LIMIT] = {false};
    const cli_leaf *first = NULL;
    for (size_t i = 0; i < sheet->leaf_count; i++) {
        const cli_leaf *leaf = &sheet->leaves[i];
        if (leaf->dimension_count == 0 || is_reached(leaf, reached))
            continue; /* one without such columns has a row that is for all */
        if (first) {
            char text[512];
            (void)snprintf(text, sizeof(text),
                           "%.200s and %.200s share no column: each row meets all of the other",
                           first->reader.label, leaf->reader.label);
            cli_warn(text);
            return;
        }
        first = leaf;
        reach(sheet, first, reached);
    }
}

static extfn_status evaluate(run *it, extfn_error *err)
{
    extfn_call_options call = cli_session_call(&it->session);
    call.on_progress = cli_progress_rows;
    call.context = &it->progress;
    extfn_status status = extfn_refresh(it->session.host, it->function, it->sheet.measures,
                                        extfn_function_arity(it->function), &call, &it->cells, err);
    cli_progress_hide(&it->progress);
    cli_session_show_output(&it->session);
    return status;
}

/* ---- Writing ---- */

static extfn_status add_cell(run *it, const char *data, size_t size, const char *after,
                             extfn_error *err)
{
    CLI_TRY(cli_csv_append_cell(&it->line, data, size, err));
    return cli_buf_append_text(&it->line, after, err);
}

static extfn_status write_line(run *it, extfn_error *err)
{
    CLI_TRY(cli_output_write(&it->output, it->line.data, it->line.size, err));
    it->line.size = 0;
    return EXTFN_OK;
}

static extfn_status write_header(run *it, const extfn_measure *made, extfn_error *err)
{
    for (size_t i = 0; i < made->dimension_count; i++)
        CLI_TRY(add_cell(it, made->dimensions[i], strlen(made->dimensions[i]), ",", err));
    CLI_TRY(add_cell(it, it->result_name.data, it->result_name.size, ",", err));
    CLI_TRY(add_cell(it, it->error_name.data, it->error_name.size, "\n", err));
    return write_line(it, err);
}

static extfn_status write_row(run *it, const extfn_measure *made, const cli_axis *const *axes,
                              int64_t row, extfn_error *err)
{
    for (size_t i = 0; i < made->dimension_count; i++) {
        uint32_t item = made->items[i][row];
        CLI_TRY(add_cell(it, axes[i]->texts[item], axes[i]->sizes[item], ",", err));
    }
    CLI_AUTO(extfn_value_clear) extfn_value value = {0};
    CLI_TRY(extfn_column_get(made->values, row, &value, err));
    CLI_AUTO(cli_text_clear) char *data = NULL;
    size_t size = 0;
    CLI_TRY(extfn_value_format(&value, &data, &size, err));
    bool is_failed = value.type == EXTFN_ERROR;
    it->failed += is_failed;
    CLI_TRY(add_cell(it, data, is_failed ? 0 : size, ",", err));
    CLI_TRY(add_cell(it, data, is_failed ? size : 0, "\n", err));
    return write_line(it, err);
}

static extfn_status write_all(run *it, extfn_error *err)
{
    const extfn_measure made = extfn_cells_measure(it->cells);
    const cli_axis *axes[CLI_AXES_LIMIT] = {NULL};
    for (size_t i = 0; i < made.dimension_count; i++)
        axes[i] = cli_sheet_axis(&it->sheet, made.dimensions[i]);
    CLI_TRY(write_header(it, &made, err));
    for (int64_t row = 0; row < extfn_column_rows(made.values); row++)
        CLI_TRY(write_row(it, &made, axes, row, err));
    return cli_output_commit(&it->output, err);
}

extfn_status cli_apply_tables(const cli_options *options, extfn_error *err)
{
    CLI_AUTO(run_clear)
    run it = {.options = options, .session = CLI_SESSION_CLOSED, .output = CLI_STDOUT};
    CLI_TRY(cli_library_find(options->operands[0], options->operands[1], &it.function, err));
    CLI_TRY(cli_sheet_read(&it.sheet, it.function, options->operands + 2,
                           options->operand_count - 2, err));
    warn_of_pairs(&it.sheet);
    CLI_TRY(name_columns(&it, err));
    if (options->output && strcmp(options->output, "-") != 0)
        CLI_TRY(cli_output_create(options->output, &it.output, err));
    CLI_TRY(cli_session_open(options, &it.session, err));
    cli_progress_start(&it.progress, options->output);
    extfn_status status = evaluate(&it, err);
    if (status != EXTFN_OK) {
        cli_cost_tell(&it.session.receipt);
        cli_session_close(&it.session);
        return cli_apply_fail(options, it.function, status, err);
    }
    CLI_TRY(write_all(&it, err));
    const cli_applied done = {.options = options,
                              .column = it.result_name.data,
                              .error_column = it.error_name.data,
                              .rows = extfn_column_rows(extfn_cells_measure(it.cells).values),
                              .failed = it.failed,
                              .cost = &it.session.receipt};
    return cli_apply_end(&done, err);
}
