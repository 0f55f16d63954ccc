/* A cell of CSV. SPDX-License-Identifier: MIT */
#include "cli/csv_write.h"

#include <csv.h>

static bool needs_quotes(const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (data[i] == '"' || data[i] == ',' || data[i] == '\n' || data[i] == '\r')
            return true;
    }
    return false;
}

extfn_status cli_csv_append_cell(cli_buf *line, const char *data, size_t size, extfn_error *err)
{
    if (!needs_quotes(data, size))
        return cli_buf_append(line, data, size, err);
    size_t needed = csv_write(NULL, 0, data, size);
    CLI_TRY(cli_buf_reserve(line, needed, err));
    line->size += csv_write(line->data + line->size, needed, data, size);
    line->data[line->size] = '\0';
    return EXTFN_OK;
}
