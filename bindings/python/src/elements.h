/* Elements of fixed width, wherever they lie. SPDX-License-Identifier: MIT */
#ifndef XF_PYTHON_ELEMENTS_H
#define XF_PYTHON_ELEMENTS_H

#include "module.h"

/* X(name, type in C) */
#define PY_ELEMENT_MAP(X)                                                                          \
    X(INT8, int8_t)                                                                                \
    X(INT16, int16_t)                                                                              \
    X(INT32, int32_t)                                                                              \
    X(INT64, int64_t)                                                                              \
    X(UINT8, uint8_t)                                                                              \
    X(UINT16, uint16_t)                                                                            \
    X(UINT32, uint32_t)                                                                            \
    X(UINT64, uint64_t)                                                                            \
    X(FLOAT32, float)                                                                              \
    X(FLOAT64, double)

typedef enum py_element {
    PY_NO_ELEMENT,
#define X(name, type) PY_##name,
    PY_ELEMENT_MAP(X)
#undef X
        PY_BYTE_BOOLEAN,
    PY_BIT_BOOLEAN,
} py_element;

typedef struct py_elements {
    py_element kind;
    const void *data;
    int64_t rows;
    int64_t offset;          /* of the first row: in bits, for bits alone */
    Py_ssize_t stride;       /* bytes from one to the next, but for bits */
    const uint8_t *validity; /* a bit a row, or NULL */
    int64_t validity_offset;
    int64_t ticks;       /* a second; times: 1, 1000, ... 10^9; 0: no times */
    bool has_not_a_time; /* the least integer is no time, but a row without one */
    const char *name;    /* what it is called where it comes from */
} py_elements;

/* Appends them, as what the column holds; false: raised, for elements that do not fit. */
bool py_elements_append(const py_source *source, const py_elements *elements);

/* Raises that something of that name does not fit. */
bool py_raise_misfit(const py_source *source, const char *name);

/* The same as extfn_column_append_buffers, with the place in front of what it says. */
bool py_append_buffers(const py_source *source, const extfn_buffers *buffers);

#endif
