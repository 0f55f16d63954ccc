/* A hash table of texts that only grows, up to its limit. SPDX-License-Identifier: MIT */
#include "cli/counts.h"

#include "cli/alloc.h"

#include <stdlib.h>
#include <string.h>

#define PLACES ((size_t)CLI_COUNTS_LIMIT * 2)

void cli_counts_clear(cli_counts *counts)
{
    cli_free(counts->all);
    cli_free(counts->places);
    cli_table_clear(&counts->texts);
    *counts = (cli_counts){0};
}

/* FNV-1a: who makes two long texts meet spoils the counts of his own function. */
static uint64_t hash_text(const char *text, size_t size)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
    return hash;
}

static extfn_status start(cli_counts *counts, extfn_error *err)
{
    if (!counts->all)
        counts->all = cli_realloc_array(NULL, CLI_COUNTS_LIMIT, sizeof(*counts->all));
    if (!counts->places) {
        counts->places = cli_realloc_array(NULL, PLACES, sizeof(*counts->places));
        if (counts->places)
            memset(counts->places, 0, PLACES * sizeof(*counts->places));
    }
    return counts->all && counts->places ? EXTFN_OK : cli_fail_oom(err);
}

static bool is_same(const cli_counts *counts, const cli_count *a, const cli_count *b,
                    const char *text)
{
    if (a->kind != b->kind || a->hash != b->hash || a->size != b->size)
        return false;
    size_t kept = 0;
    const char *known = cli_counts_text(counts, a, &kept);
    return kept == 0 || memcmp(known, text, kept) == 0;
}

/* Its place in the table, or the free one where it would stand. */
static uint16_t *find_place(const cli_counts *counts, const cli_count *wanted, const char *text)
{
    size_t at = (size_t)(wanted->hash >> 20) % PLACES;
    while (counts->places[at] > 0 &&
           !is_same(counts, &counts->all[counts->places[at] - 1], wanted, text))
        at = (at + 1) % PLACES;
    return &counts->places[at];
}

extfn_status cli_counts_add(cli_counts *counts, int kind, const char *text, size_t size,
                            int64_t row, extfn_error *err)
{
    CLI_TRY(start(counts, err));
    cli_count added = {.kind = kind, .size = size, .count = 1, .first_row = row};
    added.hash = hash_text(text, size);
    added.position = counts->used;
    uint16_t *place = find_place(counts, &added, text);
    if (*place > 0) {
        counts->all[*place - 1].count++;
        return EXTFN_OK;
    }
    if (counts->used == CLI_COUNTS_LIMIT) {
        counts->others++;
        return EXTFN_OK;
    }
    CLI_TRY(cli_table_append(&counts->texts, text, cli_utf8_fit(text, size, CLI_COUNTS_TEXT_SIZE),
                             err));
    counts->all[counts->used++] = added;
    *place = (uint16_t)counts->used;
    return EXTFN_OK;
}

const char *cli_counts_text(const cli_counts *counts, const cli_count *count, size_t *ret_size)
{
    return cli_table_cell(&counts->texts, count->position, ret_size);
}

static int compare(const void *a, const void *b)
{
    const cli_count *x = a;
    const cli_count *y = b;
    int order = (x->count < y->count) - (x->count > y->count);
    return order != 0 ? order : (x->position > y->position) - (x->position < y->position);
}

void cli_counts_sort(cli_counts *counts)
{
    if (counts->used > 0)
        qsort(counts->all, counts->used, sizeof(*counts->all), compare);
}
