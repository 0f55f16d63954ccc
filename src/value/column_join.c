/* One column at the end of another. */
#include "base/auto.h"
#include "value/column.h"

#include <string.h>

/* The offset of the first row is there only where the column had none before. */
static extfn_status append_texts(extfn_column *column, const extfn_column *more, extfn_error *err)
{
    size_t shift = column->bytes.size;
    size_t first = column->values.size / sizeof(int64_t);
    size_t skipped = column->rows > 0 ? sizeof(int64_t) : 0;
    XF_TRY(xf_buf_append(&column->bytes, more->bytes.data, more->bytes.size, err));
    extfn_status status = xf_buf_append(&column->values, more->values.data + skipped,
                                        more->values.size - skipped, err);
    if (status != EXTFN_OK) {
        column->bytes.size = shift;
        return status;
    }
    int64_t *offsets = (void *)column->values.data;
    for (size_t i = first; shift > 0 && i < column->values.size / sizeof(int64_t); i++)
        offsets[i] += (int64_t)shift;
    return EXTFN_OK;
}

extfn_status xf_column_join(extfn_column *column, extfn_column *more, extfn_error *err)
{
    if (more->rows == 0)
        return EXTFN_OK;
    XF_TRY(xf_column_reserve_errors(column, more->error_count, err));
    XF_TRY(column->type == EXTFN_TEXT
               ? append_texts(column, more, err)
               : xf_buf_append(&column->values, more->values.data, more->values.size, err));
    for (size_t i = 0; i < more->error_count; i++) {
        xf_column_error *error = &column->errors[column->error_count++];
        *error = more->errors[i];
        error->row += column->rows;
    }
    column->rows += more->rows;
    column->message_bytes += more->message_bytes;
    more->error_count = 0;
    return EXTFN_OK;
}
