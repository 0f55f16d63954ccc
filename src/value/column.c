#include "value/column.h"

#include "base/auto.h"
#include "base/text.h"
#include "value/datetime.h"
#include "value/value.h"

#include <string.h>

size_t xf_column_width(extfn_type type)
{
    static const size_t widths[] = {
        [EXTFN_NUMBER] = sizeof(double), [EXTFN_BOOLEAN] = sizeof(uint8_t),
        [EXTFN_TEXT] = sizeof(int64_t),  [EXTFN_DATETIME] = sizeof(int64_t),
        [EXTFN_ENUM] = sizeof(uint32_t),
    };
    return widths[type];
}

size_t xf_column_text_size(const extfn_column *column)
{
    return column->bytes.size + column->message_bytes;
}

static extfn_column *make(extfn_type type)
{
    extfn_column *column = xf_alloc(sizeof(*column));
    if (column)
        column->type = type;
    return column;
}

extfn_status extfn_column_new(extfn_type type, extfn_column **ret_column, extfn_error *err)
{
    if (type < EXTFN_NUMBER || type > EXTFN_ENUM)
        return xf_fail(err, EXTFN_EINVAL, "a column cannot hold %s", extfn_type_text(type));
    extfn_column *column = make(type);
    if (!column)
        return xf_fail_oom(err);
    *ret_column = column;
    return EXTFN_OK;
}

static void free_slot(extfn_column **slot)
{
    extfn_column_free(*slot);
}

extfn_status extfn_column_new_numbers(const double *numbers, int64_t rows,
                                      extfn_column **ret_column, extfn_error *err)
{
    if (rows < 0)
        return xf_fail(err, EXTFN_EINVAL, "a column cannot have %lld rows", (long long)rows);
    XF_AUTO(free_slot) extfn_column *column = make(EXTFN_NUMBER);
    if (!column)
        return xf_fail_oom(err);
    XF_TRY(xf_column_append_raw(column, numbers, rows, err));
    *ret_column = XF_STEAL(column);
    return EXTFN_OK;
}

void extfn_column_free(extfn_column *column)
{
    if (!column)
        return;
    for (size_t i = 0; i < column->error_count; i++)
        xf_free(column->errors[i].message);
    xf_free(column->errors);
    xf_buf_clear(&column->values);
    xf_buf_clear(&column->bytes);
    xf_free(column);
}

/* ---- Appending: buffers first, then `rows`; a buffer that grew before another failed shrinks ----
 */

extfn_status xf_column_append_raw(extfn_column *column, const void *values, int64_t rows,
                                  extfn_error *err)
{
    size_t size;
    if (!xf_size_mul((size_t)rows, xf_column_width(column->type), &size))
        return xf_fail_oom(err);
    XF_TRY(xf_buf_append(&column->values, values, size, err));
    column->rows += rows;
    return EXTFN_OK;
}

static extfn_status append_offset(extfn_column *column, int64_t offset, extfn_error *err)
{
    if (column->rows > 0)
        return xf_buf_append(&column->values, &offset, sizeof(offset), err);
    const int64_t first[] = {0, offset};
    return xf_buf_append(&column->values, first, sizeof(first), err);
}

static extfn_status append_text(extfn_column *column, const char *data, size_t size,
                                extfn_error *err)
{
    size_t former_size = column->bytes.size;
    XF_TRY(xf_buf_append(&column->bytes, data, size, err));
    extfn_status status = append_offset(column, (int64_t)column->bytes.size, err);
    if (status != EXTFN_OK) {
        column->bytes.size = former_size;
        return status;
    }
    column->rows++;
    return EXTFN_OK;
}

static extfn_status check_type(const extfn_column *column, extfn_type type, extfn_error *err)
{
    return type == column->type ? EXTFN_OK
                                : xf_fail(err, EXTFN_EINVAL, "expected %s, got %s",
                                          extfn_type_text(column->type), extfn_type_text(type));
}

extfn_status extfn_column_append_number(extfn_column *column, double number, extfn_error *err)
{
    XF_TRY(check_type(column, EXTFN_NUMBER, err));
    XF_TRY(xf_buf_append(&column->values, &number, sizeof(number), err));
    column->rows++;
    return EXTFN_OK;
}

extfn_status extfn_column_append_text(extfn_column *column, const char *data, size_t size,
                                      extfn_error *err)
{
    XF_TRY(check_type(column, EXTFN_TEXT, err));
    size_t valid = xf_utf8_valid_size(data, size);
    if (valid < size)
        return xf_fail(err, EXTFN_EINVAL, "text is not UTF-8 at byte %zu", valid);
    return append_text(column, data, size, err);
}

extfn_status xf_column_reserve_errors(extfn_column *column, size_t more, extfn_error *err)
{
    size_t needed = column->error_count + more;
    if (needed <= column->error_capacity)
        return EXTFN_OK;
    size_t capacity = needed + needed / 2 + 8;
    xf_column_error *errors = xf_realloc_array(column->errors, capacity, sizeof(*errors));
    if (!errors)
        return xf_fail_oom(err);
    column->errors = errors;
    column->error_capacity = capacity;
    return EXTFN_OK;
}

/* Takes the message of `error` on success. */
static extfn_status append_error(extfn_column *column, xf_column_error error, extfn_error *err)
{
    static const int64_t zero = 0;
    error.row = column->rows;
    XF_TRY(xf_column_reserve_errors(column, 1, err));
    if (column->type == EXTFN_TEXT) {
        XF_TRY(append_text(column, NULL, 0, err));
    } else {
        XF_TRY(xf_column_append_raw(column, &zero, 1, err));
    }
    column->errors[column->error_count++] = error;
    column->message_bytes += error.message_size;
    return EXTFN_OK;
}

extfn_status xf_column_append_failure(extfn_column *column, extfn_error_kind kind,
                                      extfn_status status, const char *message, extfn_error *err)
{
    XF_AUTO_FREE char *copy = xf_strdup(message);
    if (!copy)
        return xf_fail_oom(err);
    size_t size = strlen(copy);
    xf_utf8_repair(copy, size);
    XF_TRY(append_error(
        column,
        (xf_column_error){.kind = kind, .status = status, .message = copy, .message_size = size},
        err));
    (void)XF_STEAL(copy);
    return EXTFN_OK;
}

static extfn_status append_error_copy(extfn_column *column, const xf_column_error *error,
                                      extfn_error *err)
{
    XF_AUTO_FREE char *message = xf_text_copy(error->message, error->message_size);
    if (!message)
        return xf_fail_oom(err);
    xf_column_error copy = *error;
    copy.message = message;
    XF_TRY(append_error(column, copy, err));
    (void)XF_STEAL(message);
    return EXTFN_OK;
}

extfn_status xf_column_append_row(extfn_column *column, const extfn_column *from, int64_t row,
                                  extfn_error *err)
{
    const xf_column_error *error = from->error_count > 0 ? xf_column_error_at(from, row) : NULL;
    if (error)
        return append_error_copy(column, error, err);
    if (column->type == EXTFN_TEXT) {
        const extfn_value text = xf_column_view(from, row);
        return append_text(column, text.as.text.data, text.as.text.size, err);
    }
    const char *value = from->values.data + (size_t)row * xf_column_width(column->type);
    return xf_column_append_raw(column, value, 1, err);
}

/* Of fixed width and without errors; there is room. */
static void copy_rows(extfn_column *column, const extfn_column *from, const uint32_t *rows,
                      size_t count)
{
    size_t width = xf_column_width(column->type);
    char *to = column->values.data + column->values.size;
    const char *values = from->values.data;
    if (width == sizeof(double)) { /* a size that the compiler knows */
        for (size_t i = 0; i < count; i++)
            memcpy(to + i * sizeof(double), values + rows[i] * sizeof(double), sizeof(double));
    } else {
        for (size_t i = 0; i < count; i++)
            memcpy(to + i * width, values + rows[i] * width, width);
    }
    column->values.size += count * width;
    column->rows += (int64_t)count;
}

extfn_status xf_column_append_rows(extfn_column *column, const extfn_column *from,
                                   const uint32_t *rows, size_t count, extfn_error *err)
{
    if (column->type != EXTFN_TEXT && from->error_count == 0) {
        XF_TRY(xf_buf_reserve(&column->values,
                              column->values.size + count * xf_column_width(column->type), err));
        copy_rows(column, from, rows, count);
        return EXTFN_OK;
    }
    for (size_t i = 0; i < count; i++)
        XF_TRY(xf_column_append_row(column, from, rows[i], err));
    return EXTFN_OK;
}

static extfn_status append_error_value(extfn_column *column, extfn_error_kind kind,
                                       const char *message, size_t size, extfn_error *err)
{
    extfn_value value;
    XF_TRY(xf_value_error(kind, message, size, &value, err));
    xf_column_error error = {.kind = kind, .message = value.as.error.message, .message_size = size};
    extfn_status status = append_error(column, error, err);
    if (status != EXTFN_OK)
        extfn_value_clear(&value);
    return status;
}

extfn_status extfn_column_append_error(extfn_column *column, extfn_error_kind kind,
                                       const char *message, extfn_error *err)
{
    return append_error_value(column, kind, message, strlen(message), err);
}

extfn_status extfn_column_append(extfn_column *column, const extfn_value *value, extfn_error *err)
{
    if (value->type == EXTFN_ERROR) {
        return append_error_value(column, value->as.error.kind, value->as.error.message,
                                  value->as.error.size, err);
    }
    XF_TRY(check_type(column, value->type, err));
    if (value->type == EXTFN_TEXT)
        return extfn_column_append_text(column, value->as.text.data, value->as.text.size, err);
    if (value->type == EXTFN_BOOLEAN)
        return xf_column_append_raw(column, &(uint8_t){value->as.boolean}, 1, err);
    if (value->type == EXTFN_DATETIME && !xf_datetime_is_valid(value->as.datetime))
        return xf_fail(err, EXTFN_EINVAL, "datetime is not within the years 0001 to 9999");
    return xf_column_append_raw(column, &value->as, 1,
                                err); /* members begin at the union's start */
}
