#include "value/column.h"
#include "value/value.h"

#include <string.h>

extfn_type extfn_column_type(const extfn_column *column)
{
    return column->type;
}

int64_t extfn_column_rows(const extfn_column *column)
{
    return column->rows;
}

int64_t extfn_column_error_count(const extfn_column *column)
{
    return (int64_t)column->error_count;
}

const xf_column_error *xf_column_error_at(const extfn_column *column, int64_t row)
{
    size_t low = 0;
    size_t high = column->error_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (column->errors[middle].row == row)
            return &column->errors[middle];
        if (column->errors[middle].row < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

bool extfn_column_is_error(const extfn_column *column, int64_t row)
{
    return xf_column_error_at(column, row) != NULL;
}

/* The typed buffer, or NULL for another type. An empty column has one too: a single zero. */
static const void *find_values(const extfn_column *column, extfn_type type)
{
    static const int64_t zero = 0;
    if (column->type != type)
        return NULL;
    return column->rows > 0 ? column->values.data : (const void *)&zero;
}

const double *extfn_column_numbers(const extfn_column *column)
{
    return find_values(column, EXTFN_NUMBER);
}

const uint8_t *extfn_column_booleans(const extfn_column *column)
{
    return find_values(column, EXTFN_BOOLEAN);
}

const int64_t *extfn_column_datetimes(const extfn_column *column)
{
    return find_values(column, EXTFN_DATETIME);
}

const uint32_t *extfn_column_enums(const extfn_column *column)
{
    return find_values(column, EXTFN_ENUM);
}

const int64_t *extfn_column_text_offsets(const extfn_column *column)
{
    return find_values(column, EXTFN_TEXT);
}

const char *extfn_column_text_bytes(const extfn_column *column)
{
    if (column->type != EXTFN_TEXT)
        return NULL;
    return column->bytes.size > 0 ? column->bytes.data : "";
}

/* The values' buffer was allocated for elements of the column's type, so it is aligned for them. */
static extfn_value view_value(const extfn_column *column, size_t row)
{
    const void *values = column->values.data;
    extfn_value view = {.type = column->type};
    switch (column->type) {
    case EXTFN_NUMBER:
        view.as.number = ((const double *)values)[row];
        break;
    case EXTFN_BOOLEAN:
        view.as.boolean = ((const uint8_t *)values)[row] != 0;
        break;
    case EXTFN_DATETIME:
        view.as.datetime = ((const int64_t *)values)[row];
        break;
    case EXTFN_ENUM:
        view.as.index = ((const uint32_t *)values)[row];
        break;
    case EXTFN_TEXT: {
        const int64_t *offsets = values;
        if (column->bytes.size > 0)
            view.as.text.data = column->bytes.data + offsets[row];
        view.as.text.size = (size_t)(offsets[row + 1] - offsets[row]);
        break;
    }
    case EXTFN_NONE:
    case EXTFN_ERROR:
        break;
    }
    return view;
}

extfn_value xf_column_view(const extfn_column *column, int64_t row)
{
    const xf_column_error *error = xf_column_error_at(column, row);
    if (error) {
        return (extfn_value){.type = EXTFN_ERROR,
                             .as.error = {.message = error->message,
                                          .size = error->message_size,
                                          .kind = error->kind}};
    }
    return view_value(column, (size_t)row);
}

extfn_status extfn_column_get(const extfn_column *column, int64_t row, extfn_value *ret_value,
                              extfn_error *err)
{
    if (row < 0 || row >= column->rows) {
        return xf_fail(err, EXTFN_EINVAL, "row %lld is not among the %lld of the column",
                       (long long)row, (long long)column->rows);
    }
    extfn_value view = xf_column_view(column, row);
    return extfn_value_copy(&view, ret_value, err);
}
