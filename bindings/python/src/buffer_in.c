/* Columns from the buffer protocol, such as NumPy's arrays. SPDX-License-Identifier: MIT */
#include "elements.h"

#include <string.h>

/* By letter; a size decides between integers, as `l` is not the same everywhere. */
static py_element find_kind(char letter, Py_ssize_t size)
{
    static const py_element of_signed[] = {
        [1] = PY_INT8, [2] = PY_INT16, [4] = PY_INT32, [8] = PY_INT64};
    static const py_element of_unsigned[] = {
        [1] = PY_UINT8, [2] = PY_UINT16, [4] = PY_UINT32, [8] = PY_UINT64};
    if (letter == 'd')
        return PY_FLOAT64;
    if (letter == 'f')
        return PY_FLOAT32;
    if (letter == '?')
        return PY_BYTE_BOOLEAN;
    if (strchr("bhilqn", letter))
        return of_signed[size];
    return strchr("BHILQN", letter) ? of_unsigned[size] : PY_NO_ELEMENT;
}

/* One letter, of this machine's byte order. */
static py_element read_format(const Py_buffer *view)
{
    const char *format = view->format ? view->format : "B";
    if (strchr("@=<", *format) && *format != '\0')
        format++;
    bool is_one_letter = format[0] != '\0' && format[1] == '\0';
    return is_one_letter && view->itemsize <= 8 ? find_kind(*format, view->itemsize)
                                                : PY_NO_ELEMENT;
}

/* What NumPy's units of time make of a second. */
static int64_t read_unit(const char *unit)
{
    static const struct {
        const char *unit;
        int64_t ticks;
    } units[] = {{"s", 1}, {"ms", 1000}, {"us", 1000000}, {"ns", 1000000000}};
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strcmp(unit, units[i].unit) == 0)
            return units[i].ticks;
    }
    return 0;
}

static bool append(const py_source *source, const Py_buffer *view, int64_t ticks)
{
    if (view->ndim != 1) {
        char where[PY_PLACE_SIZE];
        py_place_write(&source->place, where);
        return py_raise_status(EXTFN_EINVAL, "%s: a column has one dimension, not %d", where,
                               view->ndim);
    }
    py_elements elements = {.kind = read_format(view),
                            .data = view->buf,
                            .rows = view->shape[0],
                            .stride = view->strides[0],
                            .ticks = ticks,
                            .has_not_a_time = ticks > 0,
                            .name = ticks > 0 ? "datetime64" : view->format};
    if (elements.kind == PY_NO_ELEMENT || (ticks > 0 && elements.kind != PY_INT64))
        return py_raise_misfit(source, view->format ? view->format : "bytes");
    return py_elements_append(source, &elements);
}

bool py_read_buffer(const py_source *source, PyObject *given, const char *unit)
{
    int64_t ticks = unit ? read_unit(unit) : 0;
    if (unit && ticks == 0)
        return py_raise_misfit(source, "datetime64 of another unit than s, ms, us and ns");
    Py_buffer view;
    if (PyObject_GetBuffer(given, &view, PyBUF_RECORDS_RO) != 0)
        return false;
    bool is_done = append(source, &view, ticks);
    PyBuffer_Release(&view);
    return is_done;
}
