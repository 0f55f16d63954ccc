/* A column: rows of one type, each a value or an error. SPDX-License-Identifier: MIT */
#ifndef EXTFN_COLUMN_H
#define EXTFN_COLUMN_H

#include <extfn/value.h>

EXTFN_BEGIN

/* Grows at its end, never changes what it holds. Belongs to one thread at a time; any number may
 * read one that no longer grows. */
typedef struct extfn_column extfn_column;

/* Any type but NONE and ERROR. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_column_new(extfn_type type,
                                                         EXTFN_OWN extfn_column **ret_column,
                                                         extfn_error *err);

/* Copies `rows` numbers; the quickest way in. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_column_new_numbers(
    const double *numbers, int64_t rows, EXTFN_OWN extfn_column **ret_column, extfn_error *err);
EXTFN_API void extfn_column_free(extfn_column *column);

EXTFN_API extfn_type extfn_column_type(const extfn_column *column);
EXTFN_API int64_t extfn_column_rows(const extfn_column *column);
EXTFN_API int64_t extfn_column_error_count(const extfn_column *column);

/* Appends a value of the column's type or an Error (any other: EXTFN_EINVAL). The column is
 * unchanged on failure. The value is copied. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_column_append(extfn_column *column,
                                                            const extfn_value *value,
                                                            extfn_error *err);
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_column_append_number(extfn_column *column,
                                                                   double number, extfn_error *err);
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_column_append_text(extfn_column *column,
                                                                 const char *data, size_t size,
                                                                 extfn_error *err);
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_column_append_error(extfn_column *column,
                                                                  extfn_error_kind kind,
                                                                  const char *message,
                                                                  extfn_error *err);

/* Rows that lie in the layout of extfn_column_numbers and its likes, which is Arrow's but for
 * booleans, a byte each. */
typedef struct extfn_buffers {
    size_t struct_size; /* sizeof(extfn_buffers) */
    int64_t rows;
    const void *values; /* double, uint8_t, int64_t, uint32_t; Text: rows + 1 int64_t offsets */
    const char *bytes;  /* Text: what the offsets count in */
    const uint8_t
        *validity;           /* a bit a row, the lowest of a byte first; 0: a missing_input error is
                                there instead of a value, whatever that is; NULL: all rows have one */
    int64_t validity_offset; /* the bit of the first row */
    const char *missing;     /* the message of these errors; NULL: "missing input" */
} extfn_buffers;

/* Appends copies of them. EXTFN_EINVAL names the row, from 0, whose boolean is neither 0 nor 1,
 * whose datetime is out of range, whose text is not UTF-8 or whose offsets descend. The column is
 * unchanged on failure. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_column_append_buffers(extfn_column *column,
                                                                    const extfn_buffers *buffers,
                                                                    extfn_error *err);

/* A copy of row `row`, from 0; EXTFN_EINVAL when there is none. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_column_get(const extfn_column *column, int64_t row,
                                                         extfn_value *ret_value, extfn_error *err);
EXTFN_API bool extfn_column_is_error(const extfn_column *column, int64_t row);

/* Typed buffers, Arrow's layout: rows elements each, valid until the column grows; NULL for another
 * type. An error's row holds zero. Text: rows + 1 offsets into the bytes. */
EXTFN_API const double *extfn_column_numbers(const extfn_column *column);
EXTFN_API const uint8_t *extfn_column_booleans(const extfn_column *column);
EXTFN_API const int64_t *extfn_column_datetimes(const extfn_column *column);
EXTFN_API const uint32_t *extfn_column_enums(const extfn_column *column);
EXTFN_API const int64_t *extfn_column_text_offsets(const extfn_column *column);
EXTFN_API const char *extfn_column_text_bytes(const extfn_column *column);

EXTFN_END

#endif
