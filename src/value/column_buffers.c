/* Many rows at once, as they lie in buffers of others. SPDX-License-Identifier: MIT */
#include "base/auto.h"
#include "base/text.h"
#include "value/column.h"
#include "value/datetime.h"

#include <string.h>

#define BITS_OF_BYTE 8

static bool is_valid(const extfn_buffers *buffers, int64_t row)
{
    if (!buffers->validity)
        return true;
    int64_t bit = buffers->validity_offset + row;
    return (buffers->validity[bit / BITS_OF_BYTE] >> (bit % BITS_OF_BYTE) & 1) != 0;
}

/* The first row from `row` on whose bit is the other one, or the end. */
static int64_t find_other(const extfn_buffers *buffers, int64_t row)
{
    if (!buffers->validity)
        return buffers->rows;
    int64_t other = row + 1;
    bool is_first_valid = is_valid(buffers, row);
    while (other < buffers->rows && is_valid(buffers, other) == is_first_valid)
        other++;
    return other;
}

/* ---- Rows with values: `first` and `end` cut them out ---- */

static extfn_status check_booleans(const uint8_t *values, int64_t first, int64_t end,
                                   extfn_error *err)
{
    for (int64_t row = first; row < end; row++) {
        if (values[row] > 1) {
            return xf_fail(err, EXTFN_EINVAL, "row %lld: a boolean is 0 or 1, not %u",
                           (long long)row, values[row]);
        }
    }
    return EXTFN_OK;
}

static extfn_status check_datetimes(const int64_t *values, int64_t first, int64_t end,
                                    extfn_error *err)
{
    for (int64_t row = first; row < end; row++) {
        if (!xf_datetime_is_valid(values[row])) {
            return xf_fail(err, EXTFN_EINVAL,
                           "row %lld: datetime is not within the years 0001 to 9999",
                           (long long)row);
        }
    }
    return EXTFN_OK;
}

/* The text of a row begins at a character and ends before one, if all of them together are UTF-8.
 */
static extfn_status check_offsets(const extfn_buffers *buffers, int64_t first, int64_t end,
                                  extfn_error *err)
{
    const int64_t *offsets = buffers->values;
    if (offsets[first] < 0)
        return xf_fail(err, EXTFN_EINVAL, "row %lld: its offset is below 0", (long long)first);
    for (int64_t row = first; row < end; row++) {
        if (offsets[row + 1] < offsets[row])
            return xf_fail(err, EXTFN_EINVAL, "row %lld: its offsets descend", (long long)row);
    }
    return EXTFN_OK;
}

static extfn_status check_texts(const extfn_buffers *buffers, int64_t first, int64_t end,
                                extfn_error *err)
{
    const int64_t *offsets = buffers->values;
    XF_TRY(check_offsets(buffers, first, end, err));
    size_t size = (size_t)(offsets[end] - offsets[first]);
    size_t valid = size > 0 ? xf_utf8_valid_size(buffers->bytes + offsets[first], size) : 0;
    int64_t bad = valid < size ? offsets[first] + (int64_t)valid : -1;
    for (int64_t row = first; row < end; row++) {
        bool is_cut = offsets[row + 1] < offsets[end] &&
                      ((unsigned char)buffers->bytes[offsets[row + 1]] & 0xC0) == 0x80;
        if (is_cut || (bad >= offsets[row] && bad < offsets[row + 1]))
            return xf_fail(err, EXTFN_EINVAL, "row %lld: text is not UTF-8", (long long)row);
    }
    return EXTFN_OK;
}

static extfn_status append_texts(extfn_column *column, const extfn_buffers *buffers, int64_t first,
                                 int64_t end, extfn_error *err)
{
    const int64_t *offsets = buffers->values;
    XF_TRY(check_texts(buffers, first, end, err));
    int64_t shift = (int64_t)column->bytes.size - offsets[first];
    size_t size = (size_t)(offsets[end] - offsets[first]);
    if (size > 0)
        XF_TRY(xf_buf_append(&column->bytes, buffers->bytes + offsets[first], size, err));
    size_t count = (size_t)(end - first) + (column->rows == 0 ? 1 : 0);
    XF_TRY(xf_buf_reserve(&column->values, column->values.size + count * sizeof(int64_t), err));
    int64_t *to = (void *)(column->values.data + column->values.size);
    if (column->rows == 0)
        *to++ = 0;
    for (int64_t row = first; row < end; row++)
        *to++ = offsets[row + 1] + shift;
    column->values.size += count * sizeof(int64_t);
    column->rows += end - first;
    return EXTFN_OK;
}

static extfn_status append_values(extfn_column *column, const extfn_buffers *buffers, int64_t first,
                                  int64_t end, extfn_error *err)
{
    if (column->type == EXTFN_TEXT)
        return append_texts(column, buffers, first, end, err);
    if (column->type == EXTFN_BOOLEAN)
        XF_TRY(check_booleans(buffers->values, first, end, err));
    if (column->type == EXTFN_DATETIME)
        XF_TRY(check_datetimes(buffers->values, first, end, err));
    const char *values = buffers->values;
    return xf_column_append_raw(column, values + (size_t)first * xf_column_width(column->type),
                                end - first, err);
}

static extfn_status append_missing(extfn_column *column, const extfn_buffers *buffers,
                                   int64_t count, extfn_error *err)
{
    const char *message = buffers->missing ? buffers->missing : "missing input";
    for (int64_t i = 0; i < count; i++)
        XF_TRY(extfn_column_append_error(column, EXTFN_KIND_MISSING_INPUT, message, err));
    return EXTFN_OK;
}

/* ---- All of them ---- */

static extfn_status append_all(extfn_column *column, const extfn_buffers *buffers, extfn_error *err)
{
    for (int64_t row = 0; row < buffers->rows;) {
        int64_t end = find_other(buffers, row);
        if (is_valid(buffers, row))
            XF_TRY(append_values(column, buffers, row, end, err));
        else
            XF_TRY(append_missing(column, buffers, end - row, err));
        row = end;
    }
    return EXTFN_OK;
}

/* Takes away what was appended since the column was like `former`, whose buffers may have moved. */
static void take_back(extfn_column *column, const extfn_column *former)
{
    while (column->error_count > former->error_count) {
        xf_column_error *error = &column->errors[--column->error_count];
        column->message_bytes -= error->message_size;
        xf_free(error->message);
    }
    column->values.size = former->values.size;
    column->bytes.size = former->bytes.size;
    column->rows = former->rows;
}

extfn_status extfn_column_append_buffers(extfn_column *column, const extfn_buffers *buffers,
                                         extfn_error *err)
{
    extfn_buffers known = {0};
    size_t size = buffers->struct_size;
    memcpy(&known, buffers, size < sizeof(known) ? size : sizeof(known));
    if (known.rows < 0)
        return xf_fail(err, EXTFN_EINVAL, "a column cannot have %lld rows", (long long)known.rows);
    const extfn_column former = *column;
    extfn_status status = append_all(column, &known, err);
    if (status != EXTFN_OK)
        take_back(column, &former);
    return status;
}
