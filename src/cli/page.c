/* Head, summary and what was left out. SPDX-License-Identifier: MIT */
#include "cli/page.h"

#include "cli/library.h"
#include "cli/page_parts.h"

#include "cli/page_html.h"
#include "cli/page_style.h"

#include <stdio.h>

#include <extfn/extfn.h>

/* ---- Texts ---- */

static cli_page_text speed_text(const cli_survey *survey)
{
    cli_page_text text = {"-"};
    int64_t wall_us = survey->cost.wall_us;
    if (survey->rows == 0 || wall_us <= 0)
        return text;
    double speed = (double)survey->rows * 1e6 / (double)wall_us;
    if (speed >= 10)
        return cli_page_count((int64_t)speed);
    (void)snprintf(text.data, sizeof(text.data), "%.2g", speed);
    return text;
}

static cli_page_text time_text(int64_t wall_us)
{
    cli_page_text text = {{0}};
    if (wall_us < 1000000) {
        (void)snprintf(text.data, sizeof(text.data), "%.1f ms", (double)wall_us / 1e3);
    } else {
        (void)snprintf(text.data, sizeof(text.data), "%.2f s", (double)wall_us / 1e6);
    }
    return text;
}

static cli_page_text id_text(size_t position)
{
    cli_page_text text = {{0}};
    (void)snprintf(text.data, sizeof(text.data), "function-%zu", position + 1);
    return text;
}

/* ---- Sections ---- */

static extfn_status append_head(cli_page_writer *writer, const cli_page *page)
{
    cli_page_text rows = cli_page_counted(page->rows, "row");
    const cli_html_field version = cli_page_field("version", extfn_version());
    const cli_html_field table = cli_page_field("table", page->table);
    CLI_TRY(CLI_PAGE_PART(writer, "head", version, table));
    CLI_TRY(cli_buf_append_text(&writer->buf, (const char *)page_style, writer->err));
    return CLI_PAGE_PART(writer, "body", version, table, cli_page_field("library", page->library),
                         cli_page_field("rows", rows.data));
}

static extfn_status append_summary_row(cli_page_writer *writer, const cli_survey *survey,
                                       size_t position)
{
    cli_page_text id = id_text(position);
    cli_page_text rows = cli_page_count(survey->rows);
    cli_page_text failed = cli_page_count(survey->failed);
    cli_page_text speed = speed_text(survey);
    cli_page_text time = time_text(survey->cost.wall_us);
    bool is_bad = survey->failed > 0 || survey->failure.status != EXTFN_OK;
    return CLI_PAGE_PART(
        writer, "summary_row", cli_page_field("id", id.data),
        cli_page_field("name", extfn_function_name(survey->function)),
        cli_page_field("language", extfn_language_text(extfn_function_language(survey->function))),
        cli_page_field("rows", rows.data), cli_page_field("mark", is_bad ? " bad-count" : ""),
        cli_page_field("failed", survey->failure.status != EXTFN_OK ? "stopped" : failed.data),
        cli_page_field("speed", speed.data), cli_page_field("time", time.data));
}

/* All that is told of time stands here. */
static extfn_status append_summary(cli_page_writer *writer, const cli_page *page)
{
    struct tm parts = {0};
    cli_page_text date = {{0}};
    cli_page_text instant = {{0}};
    (void)gmtime_r(&page->made, &parts);
    (void)strftime(date.data, sizeof(date.data), "%Y-%m-%d %H:%M:%S UTC", &parts);
    (void)strftime(instant.data, sizeof(instant.data), "%Y-%m-%dT%H:%M:%SZ", &parts);
    CLI_TRY(CLI_PAGE_PART(writer, "summary", cli_page_field("date", date.data),
                          cli_page_field("instant", instant.data)));
    for (size_t i = 0; i < page->count; i++) {
        if (page->surveys[i].refusal.size == 0)
            CLI_TRY(append_summary_row(writer, &page->surveys[i], i));
    }
    return CLI_PAGE_PLAIN(writer, "summary_end");
}

static extfn_status append_refused_row(cli_page_writer *writer, const cli_survey *survey)
{
    CLI_AUTO(cli_text_clear) char *signature = NULL;
    CLI_TRY(extfn_function_signature(survey->function, &signature, writer->err));
    return CLI_PAGE_PART(writer, "refused_row", cli_page_field("signature", signature),
                         cli_page_field("language", extfn_language_text(
                                                        extfn_function_language(survey->function))),
                         cli_page_field("why", survey->refusal.data));
}

static extfn_status append_refused(cli_page_writer *writer, const cli_page *page)
{
    bool is_any = false;
    for (size_t i = 0; i < page->count; i++) {
        if (page->surveys[i].refusal.size == 0)
            continue;
        if (!is_any)
            CLI_TRY(CLI_PAGE_PLAIN(writer, "refused"));
        is_any = true;
        CLI_TRY(append_refused_row(writer, &page->surveys[i]));
    }
    return is_any ? CLI_PAGE_PLAIN(writer, "refused_end") : EXTFN_OK;
}

static extfn_status append_bad_files(cli_page_writer *writer, const cli_page *page)
{
    if (page->bad_files->cell_count == 0)
        return EXTFN_OK;
    CLI_TRY(CLI_PAGE_PLAIN(writer, "bad_files"));
    for (size_t i = 0; i < page->bad_files->cell_count; i++) {
        size_t size = 0;
        const char *message = cli_table_cell(page->bad_files, i, &size);
        const cli_html_field field = {"message", message, size};
        CLI_TRY(CLI_PAGE_PART(writer, "bad_file", field));
    }
    return CLI_PAGE_PLAIN(writer, "bad_files_end");
}

static extfn_status flush(cli_page_writer *writer, cli_output *output)
{
    CLI_TRY(cli_output_write(output, writer->buf.data, writer->buf.size, writer->err));
    writer->buf.size = 0;
    return EXTFN_OK;
}

static void writer_clear(cli_page_writer *writer)
{
    cli_buf_clear(&writer->buf);
}

extfn_status cli_page_write(const cli_page *page, cli_output *output, extfn_error *err)
{
    CLI_AUTO(writer_clear)
    cli_page_writer writer = {.html = cli_html_parse((const char *)page_html), .err = err};
    CLI_TRY(append_head(&writer, page));
    CLI_TRY(append_summary(&writer, page));
    CLI_TRY(append_refused(&writer, page));
    CLI_TRY(append_bad_files(&writer, page));
    CLI_TRY(flush(&writer, output));
    for (size_t i = 0; i < page->count; i++) {
        if (page->surveys[i].refusal.size > 0)
            continue;
        CLI_TRY(cli_page_function(&writer, &page->surveys[i], id_text(i).data));
        CLI_TRY(flush(&writer, output));
    }
    CLI_TRY(CLI_PAGE_PLAIN(&writer, "foot"));
    return flush(&writer, output);
}
