/* Elements become what a column holds: exactly, or not at all. SPDX-License-Identifier: MIT */
#include "elements.h"

#include <stdlib.h>
#include <string.h>

#define BITS_OF_BYTE 8

bool py_raise_misfit(const py_source *source, const char *name)
{
    char where[PY_PLACE_SIZE];
    py_place_write(&source->place, where);
    return py_raise_status(EXTFN_ETYPE, "%s type mismatch, expected %s, got %s", where,
                           extfn_type_text(source->type), name);
}

bool py_append_buffers(const py_source *source, const extfn_buffers *buffers)
{
    extfn_error err = {0};
    if (extfn_column_append_buffers(source->column, buffers, &err) == EXTFN_OK)
        return true;
    if (err.status == EXTFN_ENOMEM)
        return py_raise(&err, NULL, -1);
    char where[PY_PLACE_SIZE];
    py_place_write(&source->place, where);
    return py_raise_status(err.status, "%s: %s", where, err.message);
}

static bool get_bit(const uint8_t *bits, int64_t position)
{
    return (bits[position / BITS_OF_BYTE] >> (position % BITS_OF_BYTE) & 1) != 0;
}

static bool is_valid(const py_elements *elements, int64_t row)
{
    return !elements->validity || get_bit(elements->validity, elements->validity_offset + row);
}

/* ---- Loops: the first row that does not fit, or -1 ---- */

/* An element may lie at any address. */
#define EACH(type, row, value, what)                                                               \
    for (int64_t row = 0; row < elements->rows; row++) {                                           \
        type value;                                                                                \
        memcpy(&(value), data + (row)*elements->stride, sizeof(value));                            \
        what                                                                                       \
    }

/* Only of 8 bytes not all are exactly a double: it comes back as the same integer, unless it was
 * rounded to the first one that is too large. */
#define X(name, type, beyond)                                                                      \
    static int64_t name##_to_numbers(const py_elements *elements, double *to)                      \
    {                                                                                              \
        const char *data = elements->data;                                                         \
        EACH(type, row, value, {                                                                   \
            to[row] = (double)value;                                                               \
            bool is_exact =                                                                        \
                sizeof(type) < sizeof(int64_t) || (to[row] < (beyond) && (type)to[row] == value);  \
            if (!is_exact && is_valid(elements, row))                                              \
                return row;                                                                        \
        })                                                                                         \
        return -1;                                                                                 \
    }                                                                                              \
    static int64_t name##_to_enums(const py_elements *elements, uint32_t *to)                      \
    {                                                                                              \
        const char *data = elements->data;                                                         \
        EACH(type, row, value, {                                                                   \
            to[row] = (uint32_t)value;                                                             \
            if ((int64_t)to[row] != (int64_t)value && is_valid(elements, row))                     \
                return row;                                                                        \
        })                                                                                         \
        return -1;                                                                                 \
    }
X(int8, int8_t, 0x1p63)
X(int16, int16_t, 0x1p63)
X(int32, int32_t, 0x1p63)
X(int64, int64_t, 0x1p63)
X(uint8, uint8_t, 0x1p64)
X(uint16, uint16_t, 0x1p64)
X(uint32, uint32_t, 0x1p64)
X(uint64, uint64_t, 0x1p64)
#undef X

static int64_t float32_to_numbers(const py_elements *elements, double *to)
{
    const char *data = elements->data;
    EACH(float, row, value, { to[row] = (double)value; })
    return -1;
}

static int64_t float64_to_numbers(const py_elements *elements, double *to)
{
    const char *data = elements->data;
    EACH(double, row, value, { to[row] = value; })
    return -1;
}

static int64_t to_booleans(const py_elements *elements, uint8_t *to)
{
    const uint8_t *data = elements->data;
    for (int64_t row = 0; row < elements->rows; row++) {
        to[row] = elements->kind == PY_BIT_BOOLEAN ? get_bit(data, elements->offset + row)
                                                   : data[row * elements->stride] != 0;
    }
    return -1;
}

/* Whole microseconds, or the row does not fit. */
static int64_t to_datetimes(const py_elements *elements, int64_t *to)
{
    const char *data = elements->data;
    int64_t more = elements->ticks < 1000000 ? 1000000 / elements->ticks : 1;
    int64_t less = elements->ticks > 1000000 ? elements->ticks / 1000000 : 1;
    EACH(int64_t, row, value, {
        bool is_whole = value % less == 0 && !__builtin_mul_overflow(value / less, more, &to[row]);
        if (!is_whole && is_valid(elements, row))
            return row;
    })
    return -1;
}

static int64_t to_numbers(const py_elements *elements, double *to)
{
    static int64_t (*const loops[])(const py_elements *elements, double *to) = {
        [PY_INT8] = int8_to_numbers,       [PY_INT16] = int16_to_numbers,
        [PY_INT32] = int32_to_numbers,     [PY_INT64] = int64_to_numbers,
        [PY_UINT8] = uint8_to_numbers,     [PY_UINT16] = uint16_to_numbers,
        [PY_UINT32] = uint32_to_numbers,   [PY_UINT64] = uint64_to_numbers,
        [PY_FLOAT32] = float32_to_numbers, [PY_FLOAT64] = float64_to_numbers,
    };
    return loops[elements->kind](elements, to);
}

static int64_t to_enums(const py_elements *elements, uint32_t *to)
{
    static int64_t (*const loops[])(const py_elements *elements, uint32_t *to) = {
        [PY_INT8] = int8_to_enums,     [PY_INT16] = int16_to_enums,   [PY_INT32] = int32_to_enums,
        [PY_INT64] = int64_to_enums,   [PY_UINT8] = uint8_to_enums,   [PY_UINT16] = uint16_to_enums,
        [PY_UINT32] = uint32_to_enums, [PY_UINT64] = uint64_to_enums,
    };
    return loops[elements->kind](elements, to);
}

/* ---- Which elements a type takes, and how ---- */

static bool fits(extfn_type type, const py_elements *elements)
{
    bool is_integer = elements->kind >= PY_INT8 && elements->kind <= PY_UINT64;
    bool is_float = elements->kind == PY_FLOAT32 || elements->kind == PY_FLOAT64;
    if (type == EXTFN_DATETIME || elements->ticks > 0)
        return type == EXTFN_DATETIME && elements->ticks > 0;
    if (type == EXTFN_BOOLEAN)
        return elements->kind == PY_BYTE_BOOLEAN || elements->kind == PY_BIT_BOOLEAN;
    return is_integer || (type == EXTFN_NUMBER && is_float);
}

static int64_t convert(extfn_type type, const py_elements *elements, void *to)
{
    switch (type) {
    case EXTFN_NUMBER:
        return to_numbers(elements, to);
    case EXTFN_BOOLEAN:
        return to_booleans(elements, to);
    case EXTFN_DATETIME:
        return to_datetimes(elements, to);
    case EXTFN_ENUM:
        return to_enums(elements, to);
    case EXTFN_NONE:
    case EXTFN_TEXT:
    case EXTFN_ERROR:
    default:
        return 0;
    }
}

static bool raise_inexact(const py_source *source, int64_t row)
{
    static const char *const reasons[] = {
        [EXTFN_NUMBER] = "no Number is exactly this integer",
        [EXTFN_DATETIME] = "no whole number of microseconds, or out of range",
        [EXTFN_ENUM] = "an Enum is 0 to 4294967295",
    };
    char where[PY_PLACE_SIZE];
    py_place place = source->place;
    place.row = row + extfn_column_rows(source->column);
    py_place_write(&place, where);
    return py_raise_status(EXTFN_EINVAL, "%s: %s", where, reasons[source->type]);
}

/* Where NumPy has the least integer there is no time. */
static uint8_t *find_times(const py_elements *elements)
{
    uint8_t *bits = calloc((size_t)elements->rows / BITS_OF_BYTE + 1, 1);
    const char *data = elements->data;
    if (!bits) {
        (void)PyErr_NoMemory();
        return NULL;
    }
    EACH(int64_t, row, value, {
        if (value != INT64_MIN)
            bits[row / BITS_OF_BYTE] |= (uint8_t)(1U << (row % BITS_OF_BYTE));
    })
    return bits;
}

static bool append_converted(const py_source *source, const py_elements *elements)
{
    const extfn_buffers buffers = {.struct_size = sizeof(buffers),
                                   .rows = elements->rows,
                                   .validity = elements->validity,
                                   .validity_offset = elements->validity_offset,
                                   .missing = source->missing};
    extfn_buffers own = buffers;
    if (source->type == EXTFN_NUMBER && elements->kind == PY_FLOAT64 &&
        elements->stride == sizeof(double) && (uintptr_t)elements->data % sizeof(double) == 0) {
        own.values = elements->data;
        return py_append_buffers(source, &own);
    }
    void *values = calloc((size_t)elements->rows + 1, sizeof(int64_t));
    if (!values)
        return PyErr_NoMemory();
    int64_t bad = convert(source->type, elements, values);
    own.values = values;
    bool is_done = bad < 0 ? py_append_buffers(source, &own) : raise_inexact(source, bad);
    free(values);
    return is_done;
}

bool py_elements_append(const py_source *source, const py_elements *elements)
{
    if (source->type == EXTFN_TEXT || !fits(source->type, elements))
        return py_raise_misfit(source, elements->name);
    if (!elements->has_not_a_time)
        return append_converted(source, elements);
    py_elements own = *elements;
    uint8_t *times = find_times(elements);
    own.validity = times;
    bool is_done = times && append_converted(source, &own);
    free(times);
    return is_done;
}
