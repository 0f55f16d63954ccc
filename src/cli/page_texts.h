/* Counts and shares as a page shows them. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_PAGE_TEXTS_H
#define XF_CLI_PAGE_TEXTS_H

#include <stdint.h>

/* A short text of its own, to be pointed to by a field. */
typedef struct cli_page_text {
    char data[64];
} cli_page_text;

/* `1,234,567`, with a noun `1 row`, `2 rows`. */
cli_page_text cli_page_count(int64_t count);
cli_page_text cli_page_counted(int64_t count, const char *noun);

/* A share of a whole in percent: `0`, `<0.1`, `12.3`, `100`. */
cli_page_text cli_page_share(int64_t part, int64_t whole);

#endif
