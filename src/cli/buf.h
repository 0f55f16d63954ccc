/* Growable text, and the ways in which foreign bytes are made fit to show.
 * SPDX-License-Identifier: MIT */
#ifndef XF_CLI_BUF_H
#define XF_CLI_BUF_H

#include "cli/fail.h"

/* Starts as `= {0}`; a NUL stands behind the content once there is any. */
typedef struct cli_buf {
    char *data;
    size_t size;
    size_t capacity;
} cli_buf;

void cli_buf_clear(cli_buf *buf);

/* Room for `more` bytes behind the content. */
EXTFN_MUST_CHECK extfn_status cli_buf_reserve(cli_buf *buf, size_t more, extfn_error *err);
EXTFN_MUST_CHECK extfn_status cli_buf_append(cli_buf *buf, const void *data, size_t size,
                                             extfn_error *err);
EXTFN_MUST_CHECK extfn_status cli_buf_append_text(cli_buf *buf, const char *text, extfn_error *err);

bool cli_utf8_is_valid(const char *data, size_t size);

/* Bytes of the UTF-8 character at the start of the data, at least one byte; 0 when there is none.
 */
size_t cli_utf8_character_size(const char *data, size_t size);

/* How much of the text, of whole characters, is no longer than the limit. */
size_t cli_utf8_fit(const char *text, size_t size, size_t limit);

/* Appends a JSON string; bytes that are not UTF-8 become U+FFFD. */
EXTFN_MUST_CHECK extfn_status cli_buf_append_json(cli_buf *buf, const char *data, size_t size,
                                                  extfn_error *err);

/* Appends bytes as one line that cannot command a terminal: control characters and what is not
 * UTF-8 become `\n`, `\x1b`. */
EXTFN_MUST_CHECK extfn_status cli_buf_append_plain(cli_buf *buf, const char *data, size_t size,
                                                   extfn_error *err);

#endif
