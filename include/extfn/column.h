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
