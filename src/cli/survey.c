/* Looking at results as they come. SPDX-License-Identifier: MIT */
#include "cli/survey.h"

#include "cli/alloc.h"
#include "cli/failure_line.h"
#include "cli/library.h"

#include <string.h>

void cli_survey_init(cli_survey *survey, extfn_function *function)
{
    *survey = (cli_survey){.function = function};
    survey->spread.type = extfn_function_return_type(function);
}

void cli_survey_clear(cli_survey *survey)
{
    extfn_function_unref(survey->function);
    cli_buf_clear(&survey->refusal);
    cli_free(survey->failed_lines);
    cli_spread_clear(&survey->spread);
    cli_counts_clear(&survey->values);
    cli_counts_clear(&survey->errors);
    cli_table_clear(&survey->first.cells);
    cli_table_clear(&survey->failing.cells);
    *survey = (cli_survey){.function = NULL};
}

/* ---- Columns ---- */

static extfn_status refuse(cli_survey *survey, const char *reason, extfn_error *err)
{
    survey->refusal.size = 0;
    return cli_buf_append_text(&survey->refusal, reason, err);
}

/* `no column x`, `no column x, y` */
static extfn_status lack(cli_survey *survey, const char *name, extfn_error *err)
{
    const char *head = survey->refusal.size > 0 ? ", " : "no column ";
    CLI_TRY(cli_buf_append_text(&survey->refusal, head, err));
    return cli_buf_append_text(&survey->refusal, name, err);
}

extfn_status cli_survey_bind(cli_survey *survey, const cli_csv_reader *reader, extfn_error *err)
{
    for (size_t i = 0; i < extfn_function_arity(survey->function); i++) {
        const char *name = extfn_function_arg_name(survey->function, i);
        if (!name)
            return refuse(survey, "it has an argument without a name", err);
        size_t position = 0;
        extfn_error problem = {0};
        problem.status = cli_header_find(reader, name, &position, &problem);
        if (problem.status == EXTFN_EINVAL)
            return refuse(survey, problem.message, err);
        if (problem.status == EXTFN_ENOTFOUND) {
            CLI_TRY(lack(survey, name, err));
        } else if (problem.status != EXTFN_OK) {
            *err = problem;
            return problem.status;
        }
    }
    if (survey->refusal.size > 0)
        return EXTFN_OK;
    return cli_bindings_make(survey->function, reader, &survey->bindings, err);
}

/* ---- Rows ---- */

/* The beginning of a long text, with the sign that something is missing. */
static extfn_status keep_cell(cli_table *cells, const char *data, size_t size, size_t limit,
                              extfn_error *err)
{
    size_t kept = cli_utf8_fit(data, size, limit);
    if (kept == size)
        return cli_table_append(cells, data, size, err);
    CLI_AUTO(cli_buf_clear) cli_buf cut = {0};
    CLI_TRY(cli_buf_append(&cut, data, kept, err));
    CLI_TRY(cli_buf_append_text(&cut, "\xE2\x80\xA6", err));
    return cli_table_append(cells, cut.data, cut.size, err);
}

/* One result, and where it stands. */
typedef struct finding {
    const extfn_value *value;
    const char *text; /* the value's, or the message */
    size_t size;
    const cli_csv_reader *reader;
    size_t row_of_block;
    int64_t row;
} finding;

static extfn_status keep_row(cli_survey_rows *kept, const cli_bindings *bindings,
                             const finding *found, extfn_error *err)
{
    size_t first = found->row_of_block * found->reader->columns;
    for (size_t i = 0; i < bindings->count; i++) {
        size_t size = 0;
        const char *cell =
            cli_table_cell(&found->reader->rows, first + bindings->positions[i], &size);
        CLI_TRY(keep_cell(&kept->cells, cell, size, CLI_SURVEY_CELL_SIZE, err));
    }
    bool is_failed = found->value->type == EXTFN_ERROR;
    size_t limit = is_failed ? CLI_SURVEY_MESSAGE_SIZE : CLI_SURVEY_CELL_SIZE;
    CLI_TRY(keep_cell(&kept->cells, found->text, found->size, limit, err));
    kept->all[kept->count++] = (cli_survey_row){found->row, is_failed};
    return EXTFN_OK;
}

/* An argument that does not fit is told with its text, which may look like a line's. */
static long line_of(const finding *found)
{
    extfn_error_kind kind = found->value->as.error.kind;
    bool is_of_input = kind == EXTFN_KIND_TYPE_MISMATCH || kind == EXTFN_KIND_MISSING_INPUT;
    return is_of_input ? 0 : cli_failure_line(found->text);
}

static extfn_status count_line(cli_survey *survey, long line, extfn_error *err)
{
    if (line <= 0 || line > (long)CLI_SURVEY_LINES)
        return EXTFN_OK;
    if (!survey->failed_lines) {
        int64_t *lines = cli_realloc_array(NULL, CLI_SURVEY_LINES, sizeof(*lines));
        if (!lines)
            return cli_fail_oom(err);
        memset(lines, 0, CLI_SURVEY_LINES * sizeof(*lines));
        survey->failed_lines = lines;
    }
    survey->failed_lines[line - 1]++;
    return EXTFN_OK;
}

static extfn_status count_result(cli_survey *survey, const finding *found, extfn_error *err)
{
    const extfn_value *value = found->value;
    if (value->type == EXTFN_ERROR) {
        CLI_TRY(count_line(survey, line_of(found), err));
        return cli_counts_add(&survey->errors, (int)value->as.error.kind, found->text, found->size,
                              found->row, err);
    }
    if (value->type == EXTFN_NUMBER || value->type == EXTFN_DATETIME)
        return cli_spread_add(&survey->spread, value, err);
    return cli_counts_add(&survey->values, 0, found->text, found->size, found->row, err);
}

static cli_survey_rows *find_room(cli_survey *survey, bool is_failed)
{
    if (survey->first.count < CLI_SURVEY_FIRST_ROWS)
        return &survey->first;
    bool has_room = is_failed && survey->failing.count < CLI_SURVEY_FAILED_ROWS;
    return has_room ? &survey->failing : NULL;
}

/* Numbers of a long table are not written as texts, which takes longer than all else. */
static extfn_status add(cli_survey *survey, finding *found, extfn_error *err)
{
    bool is_failed = found->value->type == EXTFN_ERROR;
    CLI_AUTO(cli_text_clear) char *text = NULL;
    cli_survey_rows *room = find_room(survey, is_failed);
    bool is_plain = found->value->type == EXTFN_NUMBER || found->value->type == EXTFN_DATETIME;
    if (room || !is_plain) {
        CLI_TRY(extfn_value_format(found->value, &text, &found->size, err));
        found->text = text;
    }
    if (room)
        CLI_TRY(keep_row(room, &survey->bindings, found, err));
    CLI_TRY(count_result(survey, found, err));
    survey->rows++;
    survey->failed += is_failed;
    return EXTFN_OK;
}

extfn_status cli_survey_add(cli_survey *survey, const cli_csv_reader *reader,
                            const extfn_column *results, extfn_error *err)
{
    size_t rows = (size_t)extfn_column_rows(results);
    for (size_t i = 0; i < rows; i++) {
        CLI_AUTO(extfn_value_clear) extfn_value value = {0};
        CLI_TRY(extfn_column_get(results, (int64_t)i, &value, err));
        finding found = {.value = &value, .reader = reader, .row_of_block = i, .row = survey->rows};
        CLI_TRY(add(survey, &found, err));
    }
    return EXTFN_OK;
}
