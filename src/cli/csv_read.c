/* CSV in pieces of any size to blocks of rows. SPDX-License-Identifier: MIT */
#include "cli/csv_read.h"

#include "cli/alloc.h"

#include <string.h>

#define FIELD_STEP ((size_t)4096)

static const char bom[] = {'\xEF', '\xBB', '\xBF'};

static int is_never_space(unsigned char byte)
{
    (void)byte;
    return 0;
}

static void *grow_field(void *ptr, size_t size)
{
    return size > CLI_CSV_ROW_LIMIT ? NULL : cli_realloc_array(ptr, size, 1);
}

void cli_csv_reader_init(cli_csv_reader *reader, const char *label)
{
    *reader = (cli_csv_reader){.label = label, .line = 1};
    (void)csv_init(&reader->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
    csv_set_space_func(&reader->parser, is_never_space);
    csv_set_realloc_func(&reader->parser, grow_field);
    csv_set_free_func(&reader->parser, cli_free);
}

void cli_csv_reader_clear(cli_csv_reader *reader)
{
    csv_free(&reader->parser);
    cli_table_clear(&reader->header);
    cli_table_clear(&reader->rows);
}

static int64_t count_lines(const char *data, size_t size)
{
    int64_t lines = 0;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    return lines;
}

static extfn_status fail_utf8(const cli_csv_reader *reader, extfn_error *err)
{
    size_t size = 0;
    if (!reader->columns) {
        return cli_fail(err, EXTFN_EINVAL,
                        "%s:%lld: the name of column %zu is not UTF-8; convert the file",
                        reader->label, (long long)reader->line, reader->row_cells);
    }
    const char *name = cli_table_cell(&reader->header, reader->row_cells - 1, &size);
    return cli_fail(err, EXTFN_EINVAL, "%s:%lld: column '%.*s' is not UTF-8; convert the file",
                    reader->label, (long long)reader->line, (int)(size < 100 ? size : 100), name);
}

static extfn_status add_cell(cli_csv_reader *reader, const char *data, size_t size)
{
    reader->row_cells++;
    size_t limit = reader->columns ? reader->columns : CLI_CSV_COLUMN_LIMIT;
    if (reader->row_cells > limit)
        return EXTFN_OK; /* told when the row ends */
    if (size > CLI_CSV_ROW_LIMIT - reader->row_size) {
        return cli_fail(reader->err, EXTFN_EINVAL, "%s:%lld: the row is longer than %zu bytes",
                        reader->label, (long long)reader->line, CLI_CSV_ROW_LIMIT);
    }
    if (!cli_utf8_is_valid(data, size))
        return fail_utf8(reader, reader->err);
    reader->row_size += size;
    return cli_table_append(reader->columns ? &reader->rows : &reader->header, data, size,
                            reader->err);
}

static void on_field(void *data, size_t size, void *context)
{
    cli_csv_reader *reader = context;
    if (reader->status == EXTFN_OK)
        reader->status = add_cell(reader, size ? data : "", size);
}

static extfn_status end_header(cli_csv_reader *reader, int end)
{
    if (reader->row_cells > CLI_CSV_COLUMN_LIMIT) {
        return cli_fail(reader->err, EXTFN_EINVAL, "%s:%lld: %zu columns; the most is %u",
                        reader->label, (long long)reader->line, reader->row_cells,
                        CLI_CSV_COLUMN_LIMIT);
    }
    reader->columns = reader->row_cells;
    reader->ends_lines_with_cr = end == CSV_CR;
    return EXTFN_OK;
}

static extfn_status end_row(cli_csv_reader *reader, int end)
{
    const cli_table *table = reader->columns ? &reader->rows : &reader->header;
    if (!reader->columns) {
        CLI_TRY(end_header(reader, end));
    } else if (reader->row_cells != reader->columns) {
        return cli_fail(reader->err, EXTFN_EINVAL,
                        "%s:%lld: %zu fields where the header has %zu; correct the row, or quote "
                        "its commas",
                        reader->label, (long long)reader->line, reader->row_cells, reader->columns);
    }
    reader->line +=
        count_lines(table->bytes.data + table->bytes.size - reader->row_size, reader->row_size);
    reader->row_cells = 0;
    reader->row_size = 0;
    return EXTFN_OK;
}

/* Called for each CR and LF outside quotes, so twice for CRLF; -1 is the end of the file. A line
 * without a cell is no row. */
static void on_line_end(int end, void *context)
{
    cli_csv_reader *reader = context;
    if (reader->status != EXTFN_OK)
        return;
    bool is_second = end == CSV_LF && reader->last_end == CSV_CR && reader->row_cells == 0;
    if (reader->row_cells > 0)
        reader->status = end_row(reader, end);
    if (reader->status == EXTFN_OK && !is_second)
        reader->line++;
    reader->last_end = is_second ? 0 : end;
}

static extfn_status parser_failure(cli_csv_reader *reader, extfn_error *err)
{
    int failure = csv_error(&reader->parser);
    if (failure == CSV_EPARSE) {
        return cli_fail(err, EXTFN_EINVAL,
                        "%s:%lld: a quote that does not enclose the whole field; write it twice "
                        "inside of quotes",
                        reader->label, (long long)reader->line);
    }
    if (csv_get_buffer_size(&reader->parser) + FIELD_STEP <= CLI_CSV_ROW_LIMIT)
        return cli_fail_oom(err);
    return cli_fail(err, EXTFN_EINVAL,
                    "%s:%lld: a field is longer than %zu bytes; is a quote never closed?",
                    reader->label, (long long)reader->line, CLI_CSV_ROW_LIMIT);
}

/* The parser's buffer grows by steps; they keep pace with it, so that a long field costs no more
 * than its length. */
static void set_step(cli_csv_reader *reader)
{
    size_t held = csv_get_buffer_size(&reader->parser);
    size_t room = CLI_CSV_ROW_LIMIT - held;
    size_t step = held < room ? held : room;
    csv_set_blk_size(&reader->parser, step > FIELD_STEP ? step : FIELD_STEP);
}

static extfn_status parse(cli_csv_reader *reader, const char *data, size_t size, extfn_error *err)
{
    if (size == 0)
        return EXTFN_OK;
    set_step(reader);
    reader->err = err;
    size_t parsed = csv_parse(&reader->parser, data, size, on_field, on_line_end, reader);
    CLI_TRY(reader->status);
    return parsed == size ? EXTFN_OK : parser_failure(reader, err);
}

/* A byte order mark that did not become whole is content. */
static extfn_status end_bom(cli_csv_reader *reader, extfn_error *err)
{
    if (reader->is_begun)
        return EXTFN_OK;
    reader->is_begun = true;
    reader->has_bom = reader->bom_size == sizeof(bom);
    return reader->has_bom ? EXTFN_OK : parse(reader, bom, reader->bom_size, err);
}

extfn_status cli_csv_reader_feed(cli_csv_reader *reader, const char *data, size_t size,
                                 extfn_error *err)
{
    while (!reader->is_begun && size > 0 && reader->bom_size < sizeof(bom) &&
           *data == bom[reader->bom_size]) {
        reader->bom_size++;
        data++;
        size--;
    }
    if (size == 0)
        return EXTFN_OK;
    CLI_TRY(end_bom(reader, err));
    return parse(reader, data, size, err);
}

extfn_status cli_csv_reader_finish(cli_csv_reader *reader, extfn_error *err)
{
    CLI_TRY(end_bom(reader, err));
    reader->err = err;
    int64_t line = reader->line;
    if (csv_fini(&reader->parser, on_field, on_line_end, reader) != 0) {
        return cli_fail(err, EXTFN_EINVAL, "%s:%lld: the row has a quote that is never closed",
                        reader->label, (long long)line);
    }
    CLI_TRY(reader->status);
    if (!reader->columns) {
        return cli_fail(err, EXTFN_EINVAL,
                        "%s: empty; its first line must name the columns (a,b,c)", reader->label);
    }
    return EXTFN_OK;
}

/* Cells of a row that has begun and not ended. */
static size_t open_cells(const cli_csv_reader *reader)
{
    return reader->row_cells < reader->columns ? reader->row_cells : reader->columns;
}

size_t cli_csv_reader_rows(const cli_csv_reader *reader)
{
    if (!reader->columns)
        return 0;
    return (reader->rows.cell_count - open_cells(reader)) / reader->columns;
}

bool cli_csv_reader_is_full(const cli_csv_reader *reader)
{
    return cli_csv_reader_rows(reader) >= CLI_CSV_BLOCK_ROWS ||
           cli_table_weight(&reader->rows) >= CLI_CSV_BLOCK_WEIGHT;
}

void cli_csv_reader_drop_rows(cli_csv_reader *reader)
{
    cli_table_drop(&reader->rows, reader->rows.cell_count - open_cells(reader));
}
