/* Reading and writing CSV. SPDX-License-Identifier: MIT */
#include "cli/csv_read.h"
#include "cli/csv_write.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <stdio.h>
#include <string.h>

/* The cells in `|`, the rows in lines; the header is the first one. */
static extfn_status show(const cli_csv_reader *reader, cli_buf *ret_text, extfn_error *err)
{
    size_t header = reader->columns;
    for (size_t i = 0; i < header + reader->rows.cell_count; i++) {
        const cli_table *table = i < header ? &reader->header : &reader->rows;
        size_t size = 0;
        const char *cell = cli_table_cell(table, i < header ? i : i - header, &size);
        CLI_TRY(cli_buf_append(ret_text, cell, size, err));
        CLI_TRY(cli_buf_append_text(ret_text, (i + 1) % reader->columns ? "|" : "\n", err));
    }
    return EXTFN_OK;
}

/* Feeds the text in pieces of `step` bytes. */
static extfn_status read_text(const char *text, size_t size, size_t step, cli_buf *ret_text,
                              extfn_error *err)
{
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    cli_csv_reader_init(&reader, "a.csv");
    for (size_t at = 0; at < size; at += step) {
        size_t piece = size - at < step ? size - at : step;
        CLI_TRY(cli_csv_reader_feed(&reader, text + at, piece, err));
    }
    CLI_TRY(cli_csv_reader_finish(&reader, err));
    return show(&reader, ret_text, err);
}

typedef struct example {
    const char *in;
    const char *out; /* or the message */
} example;

static const example good[] = {
    {"a,b\n1,2\n", "a|b\n1|2\n"},
    {"a,b\r\n1,2\r\n", "a|b\n1|2\n"},
    {"a,b\r1,2\r", "a|b\n1|2\n"},
    {"a,b\n1,2", "a|b\n1|2\n"},
    {"a,b\n1,", "a|b\n1|\n"},
    {"a,b\n,\n", "a|b\n|\n"},
    {"a\n", "a\n"},
    {"a", "a\n"},
    {"a\n\"\"\n", "a\n\n"},
    {"a\n\n1\n\n\n2\n", "a\n1\n2\n"},
    {"a, b \n 1 ,\t2\n", "a| b \n 1 |\t2\n"},
    {"a,b\n\"x,y\",\"q\"\"q\"\n", "a|b\nx,y|q\"q\n"},
    {"a,b\n\"two\nlines\",\"two\r\nmore\"\n", "a|b\ntwo\nlines|two\r\nmore\n"},
    {"\xEF\xBB\xBF\"a\",b\n1,2\n", "a|b\n1|2\n"},
    {"\xEF\xBB\xBF\xEF\xBB\xBF", "\xEF\xBB\xBF\n"},
    {"\xC3\xBC\n\xF0\x9F\x98\x80\n", "\xC3\xBC\n\xF0\x9F\x98\x80\n"},
};

static const example bad[] = {
    {"", "a.csv: empty; its first line must name the columns (a,b,c)"},
    {"\n\r\n", "a.csv: empty; its first line must name the columns (a,b,c)"},
    {"\xEF\xBB\xBF", "a.csv: empty; its first line must name the columns (a,b,c)"},
    {"\xEF\xBB", "a.csv:1: the name of column 1 is not UTF-8; convert the file"},
    {"a,b\n1,2\n\n1,\xff\n", "a.csv:4: column 'b' is not UTF-8; convert the file"},
    {"a,b\n1,2\n\xC3,\xBC\n", "a.csv:3: column 'a' is not UTF-8; convert the file"},
    {"a,b\n1\n", "a.csv:2: 1 fields where the header has 2; correct the row, or quote its commas"},
    {"a,b\n1,2\n\n1,2,3,4\n",
     "a.csv:4: 4 fields where the header has 2; correct the row, or quote its commas"},
    {"a,b\r\n\"1\n\n\",2\r\n\r\n1",
     "a.csv:6: 1 fields where the header has 2; correct the row, or quote its commas"},
    {"a\rb\rc,d\r",
     "a.csv:3: 2 fields where the header has 1; correct the row, or quote its commas"},
    {"a\n1\nx\"y\n",
     "a.csv:3: a quote that does not enclose the whole field; write it twice inside of quotes"},
    {"a\n\"x\"y\n",
     "a.csv:2: a quote that does not enclose the whole field; write it twice inside of quotes"},
    {"a\n1\n\"x\n\n\n", "a.csv:3: the row has a quote that is never closed"},
};

static void tables_are_read_in_pieces_of_any_size(void **state)
{
    (void)state;
    static const size_t steps[] = {1, 2, 3, 5, 1000};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        for (size_t j = 0; j < sizeof(steps) / sizeof(steps[0]); j++) {
            CLI_AUTO(cli_buf_clear) cli_buf text = {0};
            extfn_error err = {0};
            extfn_status status = read_text(good[i].in, strlen(good[i].in), steps[j], &text, &err);
            assert_string_equal(err.message, "");
            assert_int_equal(status, EXTFN_OK);
            assert_string_equal(text.data, good[i].out);
        }
    }
}

static void what_is_no_table_is_refused_with_its_line(void **state)
{
    (void)state;
    static const size_t steps[] = {1, 4, 1000};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        for (size_t j = 0; j < sizeof(steps) / sizeof(steps[0]); j++) {
            CLI_AUTO(cli_buf_clear) cli_buf text = {0};
            extfn_error err = {0};
            extfn_status status = read_text(bad[i].in, strlen(bad[i].in), steps[j], &text, &err);
            assert_int_equal(status, EXTFN_EINVAL);
            assert_string_equal(err.message, bad[i].out);
        }
    }
}

static void nul_bytes_are_content(void **state)
{
    (void)state;
    static const char in[] = "a,b\nx\0y,2\n";
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    cli_csv_reader_init(&reader, "a.csv");
    extfn_error err = {0};
    assert_int_equal(cli_csv_reader_feed(&reader, in, sizeof(in) - 1, &err), EXTFN_OK);
    size_t size = 0;
    const char *cell = cli_table_cell(&reader.rows, 0, &size);
    assert_int_equal(size, 3);
    assert_memory_equal(cell, "x\0y", 3);
}

static void dropping_rows_keeps_the_one_that_has_begun(void **state)
{
    (void)state;
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    cli_csv_reader_init(&reader, "a.csv");
    extfn_error err = {0};
    assert_int_equal(cli_csv_reader_feed(&reader, "a,b\n1,2\nxy,", 11, &err), EXTFN_OK);
    assert_int_equal(cli_csv_reader_rows(&reader), 1);
    cli_csv_reader_drop_rows(&reader);
    assert_int_equal(cli_csv_reader_rows(&reader), 0);
    assert_int_equal(cli_csv_reader_feed(&reader, "z\n", 2, &err), EXTFN_OK);
    assert_int_equal(cli_csv_reader_rows(&reader), 1);
    size_t size = 0;
    assert_memory_equal(cli_table_cell(&reader.rows, 0, &size), "xy", 2);
    assert_memory_equal(cli_table_cell(&reader.rows, 1, &size), "z", 1);
}

static void a_block_is_full_by_rows_and_by_bytes(void **state)
{
    (void)state;
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    cli_csv_reader_init(&reader, "a.csv");
    extfn_error err = {0};
    assert_int_equal(cli_csv_reader_feed(&reader, "a\n", 2, &err), EXTFN_OK);
    for (size_t i = 0; i < CLI_CSV_BLOCK_ROWS; i++) {
        assert_false(cli_csv_reader_is_full(&reader));
        assert_int_equal(cli_csv_reader_feed(&reader, "1\n", 2, &err), EXTFN_OK);
    }
    assert_true(cli_csv_reader_is_full(&reader));
    cli_csv_reader_drop_rows(&reader);
    assert_false(cli_csv_reader_is_full(&reader));

    static char piece[1U << 20];
    memset(piece, 'x', sizeof(piece));
    for (int i = 0; i < 16; i++) {
        assert_false(cli_csv_reader_is_full(&reader));
        assert_int_equal(cli_csv_reader_feed(&reader, piece, sizeof(piece), &err), EXTFN_OK);
        assert_int_equal(cli_csv_reader_feed(&reader, "\n", 1, &err), EXTFN_OK);
    }
    assert_true(cli_csv_reader_is_full(&reader));
}

static void a_row_has_a_limit(void **state)
{
    (void)state;
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    cli_csv_reader_init(&reader, "a.csv");
    extfn_error err = {0};
    assert_int_equal(cli_csv_reader_feed(&reader, "a,b\n\"", 5, &err), EXTFN_OK);
    static char piece[1U << 20];
    memset(piece, 'x', sizeof(piece));
    extfn_status status = EXTFN_OK;
    for (int i = 0; i <= 64 && status == EXTFN_OK; i++)
        status = cli_csv_reader_feed(&reader, piece, sizeof(piece), &err);
    assert_int_equal(status, EXTFN_EINVAL);
    assert_string_equal(err.message, "a.csv:2: a field is longer than 67108864 bytes; is a quote "
                                     "never closed?");
}

static void a_header_has_a_limit(void **state)
{
    (void)state;
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    cli_csv_reader_init(&reader, "a.csv");
    static char commas[CLI_CSV_COLUMN_LIMIT + 1];
    memset(commas, ',', CLI_CSV_COLUMN_LIMIT);
    commas[CLI_CSV_COLUMN_LIMIT] = '\n';
    extfn_error err = {0};
    assert_int_equal(cli_csv_reader_feed(&reader, commas, sizeof(commas), &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "a.csv:1: 16385 columns; the most is 16384");
}

static void line_ends_and_mark_of_the_file_are_known(void **state)
{
    (void)state;
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    cli_csv_reader_init(&reader, "a.csv");
    extfn_error err = {0};
    assert_int_equal(cli_csv_reader_feed(&reader,
                                         "\xEF\xBB\xBF"
                                         "a\r\n",
                                         6, &err),
                     EXTFN_OK);
    assert_true(reader.has_bom);
    assert_true(reader.ends_lines_with_cr);
}

static void reading_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_buf_clear) cli_buf text = {0};
        extfn_error err = {0};
        status = read_text("a,b\n\"1\",2\n", 10, 3, &text, &err);
    });
}

static void cells_are_quoted_where_they_must_be(void **state)
{
    (void)state;
    static const example cells[] = {{"", ""},
                                    {"plain", "plain"},
                                    {" x ", " x "},
                                    {"a,b", "\"a,b\""},
                                    {"a\"b", "\"a\"\"b\""},
                                    {"a\nb", "\"a\nb\""},
                                    {"a\rb", "\"a\rb\""}};
    for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
        CLI_AUTO(cli_buf_clear) cli_buf line = {0};
        extfn_error err = {0};
        assert_int_equal(cli_csv_append_cell(&line, cells[i].in, strlen(cells[i].in), &err),
                         EXTFN_OK);
        assert_string_equal(line.data, cells[i].out);
    }
}

static void writing_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_buf_clear) cli_buf line = {0};
        extfn_error err = {0};
        status = cli_csv_append_cell(&line, "a,b", 3, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_read_in_pieces_of_any_size),
        cmocka_unit_test(what_is_no_table_is_refused_with_its_line),
        cmocka_unit_test(nul_bytes_are_content),
        cmocka_unit_test(dropping_rows_keeps_the_one_that_has_begun),
        cmocka_unit_test(a_block_is_full_by_rows_and_by_bytes),
        cmocka_unit_test(a_row_has_a_limit),
        cmocka_unit_test(a_header_has_a_limit),
        cmocka_unit_test(line_ends_and_mark_of_the_file_are_known),
        cmocka_unit_test(reading_survives_oom),
        cmocka_unit_test(cells_are_quoted_where_they_must_be),
        cmocka_unit_test(writing_survives_oom),
    };
    return cmocka_run_group_tests_name("cli/csv", tests, NULL, NULL);
}
