/* Rows of cells, as bytes. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_TABLE_H
#define XF_CLI_TABLE_H

#include "cli/buf.h"

/* Starts as `= {0}`. Cell i ends at ends[i] of the bytes and begins where the one before ends. */
typedef struct cli_table {
    cli_buf bytes;
    size_t *ends;
    size_t cell_count;
    size_t cell_capacity;
} cli_table;

void cli_table_clear(cli_table *table);

/* Drops the first `count` cells and keeps the memory. */
void cli_table_drop(cli_table *table, size_t count);
EXTFN_MUST_CHECK extfn_status cli_table_append(cli_table *table, const char *data, size_t size,
                                               extfn_error *err);

/* The cell, `*ret_size` bytes, not NUL-terminated. */
const char *cli_table_cell(const cli_table *table, size_t cell, size_t *ret_size);

/* Bytes of memory that the content takes. */
size_t cli_table_weight(const cli_table *table);

#endif
