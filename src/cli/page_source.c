/* A function's source on its page. SPDX-License-Identifier: MIT */
#include "cli/failure_line.h"
#include "cli/page_parts.h"

#include <stdio.h>

#define BYTES_LIMIT ((size_t)256 << 10)
#define WAT_PREFIX "wat:" /* of the body, not of the file */

typedef struct source {
    const char *at;
    const char *end;
} source;

/* What is wrong with a line, from 1; empty: nothing. */
static cli_page_text note_of(const cli_survey *survey, size_t line)
{
    cli_page_text note = {{0}};
    int64_t failed = survey->failed_lines ? survey->failed_lines[line - 1] : 0;
    if (failed > 0) {
        (void)snprintf(note.data, sizeof(note.data), "%.40s failed here",
                       cli_page_counted(failed, "row").data);
    } else if (cli_failure_line(survey->failure.message) == (long)line) {
        (void)snprintf(note.data, sizeof(note.data), "stopped here");
    }
    return note;
}

static extfn_status append_line(cli_page_writer *writer, const char *at, size_t size,
                                cli_page_text note)
{
    const cli_html_field text = {"text", at, size};
    if (!note.data[0])
        return CLI_PAGE_PART(writer, "source_line", text);
    return CLI_PAGE_PART(writer, "source_bad_line", text, cli_page_field("note", note.data));
}

/* Up to the limits; *ret_rest is what was left out. */
static extfn_status append_lines(cli_page_writer *writer, const cli_survey *survey, source it,
                                 size_t *ret_rest)
{
    const char *at = it.at;
    for (size_t line = 1; at < it.end && line <= CLI_SURVEY_LINES; line++) {
        const char *newline = memchr(at, '\n', (size_t)(it.end - at));
        const char *stop = newline ? newline : it.end;
        if ((size_t)(stop - it.at) > BYTES_LIMIT)
            break;
        size_t size = (size_t)(stop - at);
        size -= size > 0 && at[size - 1] == '\r';
        CLI_TRY(append_line(writer, at, size, note_of(survey, line)));
        at = newline ? newline + 1 : it.end;
    }
    *ret_rest = (size_t)(it.end - at);
    return EXTFN_OK;
}

static extfn_status append_text(cli_page_writer *writer, const cli_survey *survey, source it)
{
    size_t rest = 0;
    CLI_TRY(CLI_PAGE_PART(writer, "source",
                          cli_page_field("name", extfn_function_name(survey->function))));
    CLI_TRY(append_lines(writer, survey, it, &rest));
    CLI_TRY(CLI_PAGE_PLAIN(writer, "source_end"));
    char what[CLI_PAGE_LINE_SIZE];
    (void)snprintf(what, sizeof(what), "%s of source are left out.",
                   cli_page_counted((int64_t)rest, "byte").data);
    return rest == 0 ? EXTFN_OK
                     : CLI_PAGE_PART(writer, "source_rest", cli_page_field("what", what));
}

extfn_status cli_page_source(cli_page_writer *writer, const cli_survey *survey)
{
    size_t size = 0;
    const char *body = extfn_function_body(survey->function, &size);
    size_t prefix = strlen(WAT_PREFIX);
    bool is_wasm = extfn_function_language(survey->function) == EXTFN_WASM;
    bool is_text = !is_wasm || (size >= prefix && memcmp(body, WAT_PREFIX, prefix) == 0);
    if (!is_text)
        return CLI_PAGE_PART(writer, "source_rest",
                             cli_page_field("what", "The module is no text."));
    const source it = {.at = is_wasm ? body + prefix : body, .end = body + size};
    return append_text(writer, survey, it);
}
