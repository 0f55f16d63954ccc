/* Inside of a column, for the layers that move whole columns. SPDX-License-Identifier: MIT */
#ifndef XF_VALUE_COLUMN_H
#define XF_VALUE_COLUMN_H

#include "base/buf.h"

#include <extfn/column.h>

typedef struct xf_column_error {
    int64_t row;
    extfn_error_kind kind;
    extfn_status status; /* of the failed call, or EXTFN_OK where the error came in as a value */
    char *message;       /* owned, NUL-terminated */
    size_t message_size; /* bytes, without the NUL */
} xf_column_error;

struct extfn_column {
    extfn_type type;
    int64_t rows;
    xf_buf
        values; /* rows elements: f64, u8, i64, u32; Text: rows + 1 i64 offsets once it has a row */
    xf_buf bytes;            /* Text only */
    xf_column_error *errors; /* by row */
    size_t error_count;
    size_t error_capacity;
    size_t message_bytes; /* of all errors */
};

/* Bytes of one element of `values`. */
size_t xf_column_width(extfn_type type);

/* Bytes of all its texts and messages. */
size_t xf_column_text_size(const extfn_column *column);

/* The error of a row, or NULL when it holds a value. */
const xf_column_error *xf_column_error_at(const extfn_column *column, int64_t row);

/* A row as a value that borrows from the column: never cleared, its text not NUL-terminated, NULL
 * where all texts are empty. `row` must exist. */
extfn_value xf_column_view(const extfn_column *column, int64_t row);

/* Appends `rows` elements of a type other than Text as they are; the caller has checked them. */
EXTFN_MUST_CHECK extfn_status xf_column_append_raw(extfn_column *column, const void *values,
                                                   int64_t rows, extfn_error *err);

/* Makes room for that many errors more, so that adding them cannot fail. */
EXTFN_MUST_CHECK extfn_status xf_column_reserve_errors(extfn_column *column, size_t more,
                                                       extfn_error *err);

/* Moves the rows of `more`, of the same type, to the end of the column; it is good for nothing but
 * being freed then. On failure both are as they were. */
EXTFN_MUST_CHECK extfn_status xf_column_join(extfn_column *column, extfn_column *more,
                                             extfn_error *err);

/* Appends row `row` of a column of the same type, its value or its error, as it is. */
EXTFN_MUST_CHECK extfn_status xf_column_append_row(extfn_column *column, const extfn_column *from,
                                                   int64_t row, extfn_error *err);

/* The same for `count` rows, in that order; on failure some of them are there. */
EXTFN_MUST_CHECK extfn_status xf_column_append_rows(extfn_column *column, const extfn_column *from,
                                                    const uint32_t *rows, size_t count,
                                                    extfn_error *err);

/* extfn_column_append_error that keeps the status of the failed call; bytes of the message that are
 * not UTF-8 become `?`. */
EXTFN_MUST_CHECK extfn_status xf_column_append_failure(extfn_column *column, extfn_error_kind kind,
                                                       extfn_status status, const char *message,
                                                       extfn_error *err);

#endif
