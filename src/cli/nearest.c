/* Which known word was meant? SPDX-License-Identifier: MIT */
#include "cli/nearest.h"

#include <string.h>

#define WORD_LIMIT 31U

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t cli_word_distance(const char *a, const char *b)
{
    size_t a_size = strnlen(a, WORD_LIMIT);
    size_t b_size = strnlen(b, WORD_LIMIT);
    size_t row[WORD_LIMIT + 1];
    for (size_t j = 0; j <= b_size; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_size; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_size; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, 1 + least(row[j], row[j - 1]));
        }
    }
    return row[b_size];
}

void cli_nearest_offer(cli_nearest *nearest, const char *wanted, const char *word)
{
    size_t distance = cli_word_distance(wanted, word);
    if (distance > 1 + strnlen(word, WORD_LIMIT) / 4)
        return;
    if (!nearest->word || distance < nearest->distance)
        *nearest = (cli_nearest){.word = word, .distance = distance};
}
