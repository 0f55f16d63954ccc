/* Which known word was meant? SPDX-License-Identifier: MIT */
#ifndef XF_CLI_NEAREST_H
#define XF_CLI_NEAREST_H

#include <stddef.h>

/* Edits (insert, delete, replace) that make one word the other; words are cut at 31 bytes. */
size_t cli_word_distance(const char *a, const char *b);

/* The best so far, replaced when `word` is nearer to `wanted` and near enough to be meant. */
typedef struct cli_nearest {
    const char *word; /* NULL: none yet */
    size_t distance;
} cli_nearest;

void cli_nearest_offer(cli_nearest *nearest, const char *wanted, const char *word);

#endif
