/* Reads CSV (RFC 4180, with a header, quotes as they should be) piece by piece into blocks of rows.
 * SPDX-License-Identifier: MIT */
#ifndef XF_CLI_CSV_READ_H
#define XF_CLI_CSV_READ_H

#include "cli/table.h"

#include <csv.h>

#define CLI_CSV_COLUMN_LIMIT 16384U
#define CLI_CSV_ROW_LIMIT ((size_t)64 << 20)
#define CLI_CSV_BLOCK_ROWS 65536U
#define CLI_CSV_BLOCK_WEIGHT ((size_t)16 << 20)

typedef struct cli_csv_reader {
    struct csv_parser parser;
    const char *label;
    cli_table header; /* one row; `columns` cells once it has been read */
    size_t columns;
    bool has_bom;
    bool ends_lines_with_cr;
    cli_table rows; /* whole rows, and what there is of the next one */

    int64_t line; /* where the next row begins */
    size_t bom_size;
    bool is_begun;
    size_t row_cells;
    size_t row_size;
    int last_end;        /* character that ended the last line */
    extfn_status status; /* of the callbacks under way */
    extfn_error *err;
} cli_csv_reader;

/* `label` names the file in messages and must outlive the reader. */
void cli_csv_reader_init(cli_csv_reader *reader, const char *label);
void cli_csv_reader_clear(cli_csv_reader *reader);

/* EXTFN_EINVAL names the line. A reader that failed can only be cleared. */
EXTFN_MUST_CHECK extfn_status cli_csv_reader_feed(cli_csv_reader *reader, const char *data,
                                                  size_t size, extfn_error *err);

/* The end of the file. EXTFN_EINVAL when there was no header. */
EXTFN_MUST_CHECK extfn_status cli_csv_reader_finish(cli_csv_reader *reader, extfn_error *err);

/* The block is worth evaluating. */
bool cli_csv_reader_is_full(const cli_csv_reader *reader);

/* Whole rows that stand in the block. */
size_t cli_csv_reader_rows(const cli_csv_reader *reader);
void cli_csv_reader_drop_rows(cli_csv_reader *reader);

#endif
