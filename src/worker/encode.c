#include "worker/encode.h"

#include "value/column.h"

#include <string.h>

#define TEXT_OFFSET_SIZE sizeof(uint32_t)

static size_t text_size(const extfn_column *column, int64_t row)
{
    const int64_t *offsets = extfn_column_text_offsets(column);
    return (size_t)(offsets[row + 1] - offsets[row]);
}

size_t xf_row_size(const extfn_column *const *columns, size_t column_count, int64_t row)
{
    size_t size = 0;
    for (size_t i = 0; i < column_count; i++) {
        extfn_type type = extfn_column_type(columns[i]);
        size += type == EXTFN_TEXT ? TEXT_OFFSET_SIZE + text_size(columns[i], row)
                                   : xf_column_width(type);
    }
    return size;
}

size_t xf_rows_size_limit(size_t column_count)
{
    /* Two buffers a column, each aligned, and one offset more than rows. */
    size_t overhead =
        column_count * (sizeof(xf_wire_column) + (size_t)2 * XF_ALIGN + TEXT_OFFSET_SIZE);
    return XF_MAP_SIZE - XF_MAP_START - XF_ALIGN - overhead;
}

static bool is_contiguous(const xf_rows *rows)
{
    return rows->count > 0 && rows->rows[rows->count - 1] - rows->rows[0] + 1 == rows->count;
}

static uint32_t encode_fixed(const xf_rows *rows, const extfn_column *column, char *map,
                             uint32_t offset)
{
    size_t width = xf_column_width(column->type);
    const char *values = column->values.data;
    if (is_contiguous(rows)) {
        memcpy(map + offset, values + (size_t)rows->rows[0] * width, rows->count * width);
    } else {
        for (uint32_t i = 0; i < rows->count; i++)
            memcpy(map + offset + i * width, values + (size_t)rows->rows[i] * width, width);
    }
    return offset + (uint32_t)(rows->count * width);
}

static uint32_t encode_text(const xf_rows *rows, const extfn_column *column, char *map,
                            xf_wire_column *place)
{
    const int64_t *from = extfn_column_text_offsets(column);
    const char *bytes = extfn_column_text_bytes(column);
    char *offsets = map + place->values_offset;
    place->bytes_offset =
        xf_wire_align(place->values_offset + (uint32_t)((rows->count + 1) * TEXT_OFFSET_SIZE));
    uint32_t used = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        memcpy(offsets + i * TEXT_OFFSET_SIZE, &used, TEXT_OFFSET_SIZE);
        size_t size = text_size(column, rows->rows[i]);
        if (size > 0)
            memcpy(map + place->bytes_offset + used, bytes + from[rows->rows[i]], size);
        used += (uint32_t)size;
    }
    memcpy(offsets + rows->count * TEXT_OFFSET_SIZE, &used, TEXT_OFFSET_SIZE);
    return place->bytes_offset + used;
}

void xf_rows_encode(const xf_rows *rows, char *map)
{
    uint32_t at =
        xf_wire_align(XF_MAP_START + (uint32_t)(rows->column_count * sizeof(xf_wire_column)));
    for (size_t i = 0; i < rows->column_count; i++) {
        const extfn_column *column = rows->columns[i];
        xf_wire_column place = {.values_offset = at};
        at = column->type == EXTFN_TEXT ? encode_text(rows, column, map, &place)
                                        : encode_fixed(rows, column, map, at);
        at = xf_wire_align(at);
        memcpy(map + XF_MAP_START + i * sizeof(place), &place, sizeof(place));
    }
}

static size_t append(char *map, size_t at, const void *data, size_t size)
{
    if (size > 0)
        memcpy(map + at, data, size);
    return at + size;
}

extfn_status xf_setup_encode(const extfn_function *function, uint32_t flags, char *map,
                             extfn_error *err)
{
    size_t body_size = 0;
    const char *body = extfn_function_body(function, &body_size);
    size_t arity = extfn_function_arity(function);
    size_t names_size = 0;
    for (size_t i = 0; i < arity; i++) {
        const char *name = extfn_function_arg_name(function, i);
        names_size += (name ? strlen(name) : 0) + 1;
    }
    size_t limit = XF_MAP_SIZE - XF_MAP_START - sizeof(xf_setup) - arity * sizeof(uint32_t);
    if (names_size > limit || body_size > limit - names_size)
        return xf_fail(err, EXTFN_EINVAL, "function %s: body too large",
                       extfn_function_name(function));

    xf_setup setup = {
        .flags = flags | (extfn_function_is_vectorized(function) ? XF_SETUP_VECTORIZED : 0U),
        .return_type = (uint32_t)extfn_function_return_type(function),
        .arg_count = (uint32_t)arity,
        .names_size = (uint32_t)names_size,
        .body_size = (uint32_t)body_size,
    };
    size_t at = append(map, XF_MAP_START, &setup, sizeof(setup));
    for (size_t i = 0; i < arity; i++) {
        uint32_t type = (uint32_t)extfn_function_arg_type(function, i);
        at = append(map, at, &type, sizeof(type));
    }
    for (size_t i = 0; i < arity; i++) {
        const char *name = extfn_function_arg_name(function, i);
        at = append(map, at, name ? name : "", name ? strlen(name) + 1 : 1);
    }
    (void)append(map, at, body, body_size);
    return EXTFN_OK;
}
