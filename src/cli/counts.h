/* How often which text comes, in bounded memory. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_COUNTS_H
#define XF_CLI_COUNTS_H

#include "cli/table.h"

/* Different texts that are counted; those that come after them count as others. */
#define CLI_COUNTS_LIMIT 4096U

/* Bytes that are kept of one. Longer texts are told apart by their hashes and sizes. */
#define CLI_COUNTS_TEXT_SIZE 256U

typedef struct cli_count {
    int kind;      /* two texts of different kinds are not the same */
    size_t size;   /* of the whole text */
    uint64_t hash; /* the same */
    int64_t count;
    int64_t first_row;
    size_t position; /* of what is kept, in `texts` */
} cli_count;

/* Starts as `= {0}`. */
typedef struct cli_counts {
    cli_count *all;   /* in the order in which they came */
    uint16_t *places; /* a hash table of 1 + positions in `all`; 0: free */
    size_t used;
    int64_t others;
    cli_table texts;
} cli_counts;

void cli_counts_clear(cli_counts *counts);
EXTFN_MUST_CHECK extfn_status cli_counts_add(cli_counts *counts, int kind, const char *text,
                                             size_t size, int64_t row, extfn_error *err);

/* What is kept of the text, `*ret_size` bytes, whole characters. */
const char *cli_counts_text(const cli_counts *counts, const cli_count *count, size_t *ret_size);

/* Puts the most frequent first; those of the same count stay in their order. Nothing can be added
 * after it. */
void cli_counts_sort(cli_counts *counts);

#endif
