/* What the parts of a page have in common: the template, and where it goes.
 * SPDX-License-Identifier: MIT */
#ifndef XF_CLI_PAGE_PARTS_H
#define XF_CLI_PAGE_PARTS_H

#include "cli/html.h"
#include "cli/page_texts.h"
#include "cli/survey.h"

#include <string.h>

#define CLI_PAGE_LINE_SIZE 256 /* of a sentence, whose length has a bound */

typedef struct cli_page_writer {
    cli_html html;
    cli_buf buf;
    extfn_error *err;
} cli_page_writer;

static inline cli_html_field cli_page_field(const char *name, const char *text)
{
    return (cli_html_field){name, text, strlen(text)};
}

#define CLI_PAGE_PART(writer, part, ...)                                                           \
    cli_html_append_part(&(writer)->buf, &(writer)->html, (part),                                  \
                         (const cli_html_field[]){__VA_ARGS__},                                    \
                         sizeof((const cli_html_field[]){__VA_ARGS__}) / sizeof(cli_html_field),   \
                         (writer)->err)
#define CLI_PAGE_PLAIN(writer, part)                                                               \
    cli_html_append_part(&(writer)->buf, &(writer)->html, (part), NULL, 0, (writer)->err)

/* The section of one function; `id` is its anchor. */
EXTFN_MUST_CHECK extfn_status cli_page_function(cli_page_writer *writer, cli_survey *survey,
                                                const char *id);

/* The source with its lines numbered, those marked where rows failed. */
EXTFN_MUST_CHECK extfn_status cli_page_source(cli_page_writer *writer, const cli_survey *survey);

/* How the results are distributed. */
EXTFN_MUST_CHECK extfn_status cli_page_distribution(cli_page_writer *writer, cli_survey *survey,
                                                    const char *id);

/* First rows, and the failed ones behind them. */
EXTFN_MUST_CHECK extfn_status cli_page_rows(cli_page_writer *writer, const cli_survey *survey);

#endif
