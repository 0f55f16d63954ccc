/* Any bytes, in pieces of any size: read, and what was written reads back the same. The first byte
 * is the size of the pieces. SPDX-License-Identifier: MIT */
#include "cli/csv_read.h"
#include "cli/csv_write.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static extfn_status read_text(cli_csv_reader *reader, const char *text, size_t size, size_t step,
                              extfn_error *err)
{
    for (size_t at = 0; at < size; at += step) {
        size_t piece = size - at < step ? size - at : step;
        CLI_TRY(cli_csv_reader_feed(reader, text + at, piece, err));
    }
    return cli_csv_reader_finish(reader, err);
}

/* Each row with one cell more, as `apply` writes it: a row of one empty cell would be no row. */
static extfn_status write_table(const cli_csv_reader *reader, const cli_table *table,
                                cli_buf *ret_text, extfn_error *err)
{
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t size = 0;
        const char *cell = cli_table_cell(table, i, &size);
        CLI_TRY(cli_csv_append_cell(ret_text, cell, size, err));
        bool is_last = (i + 1) % reader->columns == 0;
        CLI_TRY(cli_buf_append_text(ret_text, is_last ? ",+\n" : ",", err));
    }
    return EXTFN_OK;
}

static void must_be_same(const cli_table *a, const cli_table *b, size_t columns)
{
    for (size_t i = 0; i < a->cell_count; i++) {
        size_t a_size = 0;
        size_t b_size = 0;
        const char *a_cell = cli_table_cell(a, i, &a_size);
        const char *b_cell = cli_table_cell(b, i + i / columns, &b_size);
        if (a_size != b_size || memcmp(a_cell, b_cell, a_size) != 0)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader again;
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    extfn_error err = {0};
    cli_csv_reader_init(&reader, "fuzz");
    cli_csv_reader_init(&again, "again");
    size_t step = (size_t)data[0] + 1;
    if (read_text(&reader, (const char *)data + 1, size - 1, step, &err) != EXTFN_OK)
        return 0;
    /* With a mark of ours before it, one in the first cell stays there. */
    if (reader.columns == CLI_CSV_COLUMN_LIMIT ||
        cli_buf_append_text(&text, "\xEF\xBB\xBF", &err) != EXTFN_OK ||
        write_table(&reader, &reader.header, &text, &err) != EXTFN_OK ||
        write_table(&reader, &reader.rows, &text, &err) != EXTFN_OK)
        return 0;
    if (read_text(&again, text.data, text.size, 1000, &err) != EXTFN_OK ||
        again.columns != reader.columns + 1 ||
        cli_csv_reader_rows(&again) != cli_csv_reader_rows(&reader))
        abort();
    must_be_same(&reader.header, &again.header, reader.columns);
    must_be_same(&reader.rows, &again.rows, reader.columns);
    return 0;
}
