/* Rows of cells. SPDX-License-Identifier: MIT */
#include "cli/table.h"

#include "cli/alloc.h"

#include <string.h>

void cli_table_clear(cli_table *table)
{
    cli_buf_clear(&table->bytes);
    cli_free(table->ends);
    *table = (cli_table){0};
}

void cli_table_drop(cli_table *table, size_t count)
{
    if (count == 0)
        return;
    size_t dropped = table->ends[count - 1];
    table->bytes.size -= dropped;
    memmove(table->bytes.data, table->bytes.data + dropped, table->bytes.size);
    table->cell_count -= count;
    for (size_t i = 0; i < table->cell_count; i++)
        table->ends[i] = table->ends[i + count] - dropped;
}

extfn_status cli_table_append(cli_table *table, const char *data, size_t size, extfn_error *err)
{
    if (table->cell_count == table->cell_capacity) {
        size_t capacity = table->cell_capacity ? table->cell_capacity * 2 : 64;
        size_t *ends = cli_realloc_array(table->ends, capacity, sizeof(*ends));
        if (!ends)
            return cli_fail_oom(err);
        table->ends = ends;
        table->cell_capacity = capacity;
    }
    CLI_TRY(cli_buf_append(&table->bytes, data, size, err));
    table->ends[table->cell_count++] = table->bytes.size;
    return EXTFN_OK;
}

const char *cli_table_cell(const cli_table *table, size_t cell, size_t *ret_size)
{
    size_t start = cell ? table->ends[cell - 1] : 0;
    *ret_size = table->ends[cell] - start;
    return table->bytes.data + start;
}

size_t cli_table_weight(const cli_table *table)
{
    return table->bytes.size + table->cell_count * sizeof(*table->ends);
}
