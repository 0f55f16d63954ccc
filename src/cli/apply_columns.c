/* Cells of a table as typed columns. SPDX-License-Identifier: MIT */
#include "cli/apply_columns.h"

#include "cli/form.h"

#include <string.h>

/* Bytes of a cell that an error message shows. */
#define SHOWN_SIZE ((size_t)60)

static bool is_cell(const cli_table *table, size_t cell, const char *text)
{
    size_t size = 0;
    const char *data = cli_table_cell(table, cell, &size);
    return size == strlen(text) && memcmp(data, text, size) == 0;
}

/* Whether the one field of the header holds the name between semicolons. */
static bool is_split_by_semicolons(const cli_csv_reader *reader, const char *name)
{
    size_t size = 0;
    const char *at = cli_table_cell(&reader->header, 0, &size);
    const char *end = at + size;
    if (reader->columns != 1 || !memchr(at, ';', size))
        return false;
    while (at < end) {
        const char *stop = memchr(at, ';', (size_t)(end - at));
        size_t part = (size_t)((stop ? stop : end) - at);
        if (part == strlen(name) && memcmp(at, name, part) == 0)
            return true;
        at += part + 1;
    }
    return false;
}

static extfn_status missing(const cli_csv_reader *reader, const char *name, extfn_error *err)
{
    if (is_split_by_semicolons(reader, name)) {
        return cli_fail(err, EXTFN_EINVAL,
                        "%s: the fields are separated by ';', extfn reads ','; write the table "
                        "with commas",
                        reader->label);
    }
    CLI_AUTO(cli_buf_clear) cli_buf header = {0};
    for (size_t i = 0; i < reader->columns && header.size < 1000; i++) {
        size_t size = 0;
        const char *data = cli_table_cell(&reader->header, i, &size);
        CLI_TRY(cli_buf_append_text(&header, i ? ", " : "", err));
        CLI_TRY(cli_buf_append(&header, data, size, err));
    }
    return cli_fail(err, EXTFN_ENOTFOUND, "%s: no column '%s'; the header has %s", reader->label,
                    name, header.data);
}

extfn_status cli_header_find(const cli_csv_reader *reader, const char *name, size_t *ret_position,
                             extfn_error *err)
{
    size_t found = 0;
    size_t position = 0;
    for (size_t i = 0; i < reader->columns; i++) {
        if (is_cell(&reader->header, i, name)) {
            found++;
            position = i;
        }
    }
    if (found == 0)
        return missing(reader, name, err);
    if (found > 1) {
        return cli_fail(err, EXTFN_EINVAL, "%s: %zu columns are named '%s'; rename all but one",
                        reader->label, found, name);
    }
    *ret_position = position;
    return EXTFN_OK;
}

static bool is_argument(const extfn_function *function, const char *name)
{
    for (size_t i = 0; i < extfn_function_arity(function); i++) {
        const char *other = extfn_function_arg_name(function, i);
        if (other && strcmp(other, name) == 0)
            return true;
    }
    return false;
}

/* One more than where the errors of an argument stand; 0 without such a column, or where that is
 * another argument. */
static extfn_status find_errors(const extfn_function *function, const cli_csv_reader *reader,
                                const char *argument, size_t *ret_place, extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf name = {0};
    CLI_TRY(cli_buf_append_text(&name, argument, err));
    CLI_TRY(cli_buf_append_text(&name, "_error", err));
    size_t position = 0;
    *ret_place = 0;
    if (is_argument(function, name.data))
        return EXTFN_OK;
    extfn_error failure = {0};
    extfn_status status = cli_header_find(reader, name.data, &position, &failure);
    if (status == EXTFN_OK)
        *ret_place = position + 1;
    if (status == EXTFN_OK || status == EXTFN_ENOTFOUND)
        return EXTFN_OK;
    *err = failure;
    return status;
}

extfn_status cli_bindings_add(cli_bindings *bindings, const extfn_function *function,
                              size_t argument, const cli_csv_reader *reader, size_t position,
                              extfn_error *err)
{
    const char *name = extfn_function_arg_name(function, argument);
    size_t at = bindings->count;
    CLI_TRY(find_errors(function, reader, name, &bindings->errors[at], err));
    bindings->positions[at] = position;
    bindings->names[at] = name;
    bindings->types[at] = extfn_function_arg_type(function, argument);
    bindings->count++;
    return EXTFN_OK;
}

extfn_status cli_argument_name(const extfn_function *function, size_t argument,
                               const char **ret_name, extfn_error *err)
{
    *ret_name = extfn_function_arg_name(function, argument);
    if (*ret_name)
        return EXTFN_OK;
    return cli_fail(err, EXTFN_EINVAL,
                    "function %s: argument %zu has no name; give it that of its column",
                    extfn_function_name(function), argument);
}

extfn_status cli_bindings_make(const extfn_function *function, const cli_csv_reader *reader,
                               cli_bindings *ret_bindings, extfn_error *err)
{
    cli_bindings bindings = {0};
    for (size_t i = 0; i < extfn_function_arity(function); i++) {
        const char *name = NULL;
        size_t position = 0;
        CLI_TRY(cli_argument_name(function, i, &name, err));
        CLI_TRY(cli_header_find(reader, name, &position, err));
        CLI_TRY(cli_bindings_add(&bindings, function, i, reader, position, err));
    }
    *ret_bindings = bindings;
    return EXTFN_OK;
}

void cli_columns_clear(cli_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        extfn_column_free(columns->columns[i]);
    *columns = (cli_columns){0};
}

static extfn_status append_mismatch(extfn_column *column, const char *name, extfn_type type,
                                    const char *cell, size_t size, const extfn_error *failure,
                                    extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf message = {0};
    CLI_TRY(cli_buf_append_text(&message, name, err));
    CLI_TRY(cli_buf_append_text(&message, ": expected ", err));
    CLI_TRY(cli_buf_append_text(&message, extfn_type_text(type), err));
    CLI_TRY(cli_buf_append_text(&message, ", got '", err));
    CLI_TRY(cli_buf_append_plain(&message, cell, size < SHOWN_SIZE ? size : SHOWN_SIZE, err));
    CLI_TRY(cli_buf_append_text(&message, size > SHOWN_SIZE ? "...'" : "'", err));
    CLI_TRY(cli_form_append(&message, "it", type, cell, size, failure, err));
    return extfn_column_append_error(column, EXTFN_KIND_TYPE_MISMATCH, message.data, err);
}

static extfn_status append_missing(extfn_column *column, const char *name, extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf message = {0};
    CLI_TRY(cli_buf_append_text(&message, "missing input: ", err));
    CLI_TRY(cli_buf_append_text(&message, name, err));
    return extfn_column_append_error(column, EXTFN_KIND_MISSING_INPUT, message.data, err);
}

static extfn_status append_value(extfn_column *column, const char *cell, size_t size,
                                 extfn_error *err)
{
    extfn_value value = {0};
    CLI_TRY(extfn_value_parse(cell, size, extfn_column_type(column), &value, err));
    if (value.type == EXTFN_NUMBER)
        return extfn_column_append_number(column, value.as.number, err);
    extfn_status status = extfn_column_append(column, &value, err);
    extfn_value_clear(&value);
    return status;
}

static extfn_status append_cell(extfn_column *column, const char *name, const char *cell,
                                size_t size, extfn_error *err)
{
    extfn_type type = extfn_column_type(column);
    if (size == 0 && type != EXTFN_TEXT)
        return append_missing(column, name, err);
    extfn_status status = type == EXTFN_TEXT ? extfn_column_append_text(column, cell, size, err)
                                             : append_value(column, cell, size, err);
    if (status != EXTFN_EINVAL)
        return status;
    const extfn_error failure = *err;
    return append_mismatch(column, name, type, cell, size, &failure, err);
}

/* The error that apply wrote of a row. */
static extfn_status append_told(extfn_column *column, const char *told, size_t size,
                                extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf message = {0};
    CLI_TRY(cli_buf_append_plain(&message, told, size, err));
    return extfn_column_append_error(column, EXTFN_KIND_CUSTOM, message.data, err);
}

static extfn_status append_row(const cli_bindings *bindings, size_t argument,
                               const cli_csv_reader *reader, size_t row, extfn_column *column,
                               extfn_error *err)
{
    size_t first = row * reader->columns;
    size_t size = 0;
    const char *cell = cli_table_cell(&reader->rows, first + bindings->positions[argument], &size);
    if (size == 0 && bindings->errors[argument] > 0) {
        size_t told_size = 0;
        const char *told =
            cli_table_cell(&reader->rows, first + bindings->errors[argument] - 1, &told_size);
        if (told_size > 0)
            return append_told(column, told, told_size, err);
    }
    return append_cell(column, bindings->names[argument], cell, size, err);
}

extfn_status cli_columns_read(const cli_bindings *bindings, const cli_csv_reader *reader,
                              cli_columns *columns, extfn_error *err)
{
    size_t rows = cli_csv_reader_rows(reader);
    for (size_t i = 0; i < bindings->count; i++) {
        CLI_TRY(extfn_column_new(bindings->types[i], &columns->columns[i], err));
        columns->count++;
        for (size_t row = 0; row < rows; row++) {
            CLI_TRY(append_row(bindings, i, reader, row, columns->columns[i], err));
        }
    }
    return EXTFN_OK;
}
