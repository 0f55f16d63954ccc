/* HTML from a template of parts, with texts of anybody in it. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_HTML_H
#define XF_CLI_HTML_H

#include "cli/buf.h"

#define CLI_HTML_PARTS_LIMIT 64U

/* Appends the text so that it is text wherever it stands: in an element, in a quoted attribute.
 * Control characters, marks that change the direction of what follows, and bytes of no character
 * become signs that can be seen. */
EXTFN_MUST_CHECK extfn_status cli_html_append(cli_buf *buf, const char *data, size_t size,
                                              extfn_error *err);

typedef struct cli_html_part {
    const char *name;
    size_t name_size;
    const char *text;
    size_t size;
} cli_html_part;

/* A template's parts; all of it borrowed from its text. */
typedef struct cli_html {
    cli_html_part parts[CLI_HTML_PARTS_LIMIT];
    size_t count;
} cli_html;

/* A part begins behind a line `<!-- part: NAME -->` and ends before the next one. In it stands
 * `{NAME}` for a field. What is wrong with a template is our own bug. */
cli_html cli_html_parse(const char *text);

/* What stands for {NAME}: text that is escaped. */
typedef struct cli_html_field {
    const char *name;
    const char *data;
    size_t size;
} cli_html_field;

/* Appends a part; every field that it names has to be among those given. */
EXTFN_MUST_CHECK extfn_status cli_html_append_part(cli_buf *buf, const cli_html *html,
                                                   const char *part, const cli_html_field *fields,
                                                   size_t count, extfn_error *err);

#endif
