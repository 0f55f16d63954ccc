/* What a page tells of one function: signature, errors, rows. SPDX-License-Identifier: MIT */
#include "cli/page_parts.h"

#include "cli/library.h"

#include <stdio.h>

#define ERRORS_SHOWN 30U

static const char *const kind_texts[] = {
#define X(name, code, text) [code] = (text),
    EXTFN_ERROR_KIND_MAP(X)
#undef X
};

static extfn_status append_failure(cli_page_writer *writer, const cli_survey *survey)
{
    if (survey->failure.status == EXTFN_OK)
        return EXTFN_OK;
    cli_page_text rows = cli_page_counted(survey->rows, "row");
    return CLI_PAGE_PART(writer, "function_failure", cli_page_field("rows", rows.data),
                         cli_page_field("message", survey->failure.message));
}

static extfn_status append_head(cli_page_writer *writer, const cli_survey *survey, const char *id)
{
    const extfn_function *function = survey->function;
    CLI_AUTO(cli_text_clear) char *signature = NULL;
    CLI_TRY(extfn_function_signature(function, &signature, writer->err));
    const char *path = extfn_function_source_path(function);
    const char *qualities = extfn_function_is_vectorized(function) ? ", vectorized"
                            : extfn_function_is_pure(function)     ? ""
                                                                   : ", impure";
    return CLI_PAGE_PART(writer, "function", cli_page_field("id", id),
                         cli_page_field("name", extfn_function_name(function)),
                         cli_page_field("signature", signature),
                         cli_page_field("language",
                                        extfn_language_text(extfn_function_language(function))),
                         cli_page_field("qualities", qualities),
                         cli_page_field("where", path ? "," : ""),
                         cli_page_field("path", path ? path : ""));
}

/* ---- Errors ---- */

static extfn_status append_error(cli_page_writer *writer, const cli_survey *survey,
                                 const cli_count *error)
{
    cli_page_text rows = cli_page_count(error->count);
    cli_page_text row = cli_page_count(error->first_row + 1);
    CLI_AUTO(cli_buf_clear) cli_buf message = {0};
    size_t size = 0;
    const char *kept = cli_counts_text(&survey->errors, error, &size);
    CLI_TRY(cli_buf_append(&message, kept, size, writer->err));
    CLI_TRY(cli_buf_append_text(&message, size < error->size ? "\xE2\x80\xA6" : "", writer->err));
    const cli_html_field field = {"message", message.data, message.size};
    return CLI_PAGE_PART(writer, "error", cli_page_field("rows", rows.data),
                         cli_page_field("kind", kind_texts[error->kind]), field,
                         cli_page_field("row", row.data));
}

static extfn_status append_errors(cli_page_writer *writer, const cli_survey *survey)
{
    const cli_counts *errors = &survey->errors;
    if (survey->failed == 0)
        return EXTFN_OK;
    size_t shown = errors->used < ERRORS_SHOWN ? errors->used : ERRORS_SHOWN;
    bool is_more = errors->others > 0;
    char title[CLI_PAGE_LINE_SIZE];
    cli_page_text failed = cli_page_counted(survey->failed, "row");
    cli_page_text different = cli_page_counted((int64_t)errors->used, "different message");
    (void)snprintf(title, sizeof(title), "%s failed, with %s%s%s", failed.data,
                   is_more ? "more than " : "", different.data,
                   shown < errors->used ? "; the most frequent ones" : "");
    CLI_TRY(CLI_PAGE_PART(writer, "errors", cli_page_field("title", title)));
    for (size_t i = 0; i < shown; i++)
        CLI_TRY(append_error(writer, survey, &errors->all[i]));
    return CLI_PAGE_PLAIN(writer, "errors_end");
}

/* ---- Rows ---- */

static const char *part_of_type(extfn_type type, const char *number, const char *other)
{
    return type == EXTFN_NUMBER || type == EXTFN_ENUM ? number : other;
}

static extfn_status append_column(cli_page_writer *writer, extfn_type type, const char *name)
{
    return CLI_PAGE_PART(writer, part_of_type(type, "rows_number", "rows_argument"),
                         cli_page_field("name", name));
}

static extfn_status append_row(cli_page_writer *writer, const cli_survey *survey,
                               const cli_survey_rows *rows, size_t at)
{
    const cli_bindings *bindings = &survey->bindings;
    const cli_survey_row *row = &rows->all[at];
    cli_page_text number = cli_page_count(row->row + 1);
    CLI_TRY(CLI_PAGE_PART(writer, row->is_failed ? "failed_row" : "row",
                          cli_page_field("row", number.data)));
    cli_html_field value = {.name = "value"};
    size_t first = at * (bindings->count + 1);
    for (size_t i = 0; i < bindings->count; i++) {
        value.data = cli_table_cell(&rows->cells, first + i, &value.size);
        CLI_TRY(CLI_PAGE_PART(writer,
                              part_of_type(bindings->types[i], "row_number", "row_argument"),
                              cli_page_field("name", bindings->names[i]), value));
    }
    value.data = cli_table_cell(&rows->cells, first + bindings->count, &value.size);
    return CLI_PAGE_PART(writer, row->is_failed ? "row_error" : "row_result", value);
}

static extfn_status append_rows(cli_page_writer *writer, const cli_survey *survey,
                                const cli_survey_rows *rows, const char *title, const char *caption)
{
    if (rows->count == 0)
        return EXTFN_OK;
    CLI_TRY(CLI_PAGE_PART(writer, "rows", cli_page_field("title", title),
                          cli_page_field("caption", caption)));
    for (size_t i = 0; i < survey->bindings.count; i++)
        CLI_TRY(append_column(writer, survey->bindings.types[i], survey->bindings.names[i]));
    const char *name = extfn_function_name(survey->function);
    CLI_TRY(append_column(writer, EXTFN_NONE, name)); /* left, as messages stand there as well */
    CLI_TRY(CLI_PAGE_PLAIN(writer, "rows_body"));
    for (size_t i = 0; i < rows->count; i++)
        CLI_TRY(append_row(writer, survey, rows, i));
    return CLI_PAGE_PLAIN(writer, "rows_end");
}

static int64_t count_failed(const cli_survey_rows *rows)
{
    int64_t failed = 0;
    for (size_t i = 0; i < rows->count; i++)
        failed += rows->all[i].is_failed;
    return failed;
}

static void caption_of(int64_t shown, int64_t all, const char *noun, const char *tail,
                       char caption[CLI_PAGE_LINE_SIZE])
{
    cli_page_text few = cli_page_count(shown);
    cli_page_text counted = cli_page_counted(all, noun);
    if (shown == all) {
        (void)snprintf(caption, CLI_PAGE_LINE_SIZE, "%s%s", counted.data, tail);
    } else {
        (void)snprintf(caption, CLI_PAGE_LINE_SIZE, "The first %s of %s%s", few.data, counted.data,
                       tail);
    }
}

extfn_status cli_page_rows(cli_page_writer *writer, const cli_survey *survey)
{
    const cli_survey_rows *first = &survey->first;
    const cli_survey_rows *failing = &survey->failing;
    char caption[CLI_PAGE_LINE_SIZE];
    caption_of((int64_t)first->count, survey->rows, "row", "; row 1 is the first below the header",
               caption);
    CLI_TRY(append_rows(writer, survey, first, "Rows", caption));
    caption_of((int64_t)failing->count, survey->failed - count_failed(first), "failed row",
               " behind those", caption);
    return append_rows(writer, survey, failing, "More failed rows", caption);
}

extfn_status cli_page_function(cli_page_writer *writer, cli_survey *survey, const char *id)
{
    cli_counts_sort(&survey->errors);
    CLI_TRY(append_head(writer, survey, id));
    CLI_TRY(append_failure(writer, survey));
    CLI_TRY(cli_page_source(writer, survey));
    CLI_TRY(cli_page_distribution(writer, survey, id));
    CLI_TRY(append_errors(writer, survey));
    CLI_TRY(cli_page_rows(writer, survey));
    return CLI_PAGE_PLAIN(writer, "function_end");
}
