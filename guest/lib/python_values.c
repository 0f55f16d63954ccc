#include "python_values.h"

#include <string.h>
#include <unistd.h>

/* ---- Into Python ---- */

static size_t element_size(uint32_t type)
{
    static const size_t sizes[] = {[EXTFN_NUMBER] = 8,
                                   [EXTFN_BOOLEAN] = 1,
                                   [EXTFN_TEXT] = 4,
                                   [EXTFN_DATETIME] = 8,
                                   [EXTFN_ENUM] = 4};
    return type < sizeof(sizes) / sizeof(sizes[0]) ? sizes[type] : 0;
}

const void *xf_python_column(const xf_guest *guest, uint32_t k, size_t *ret_size)
{
    const xf_wire_column *columns = (const void *)(guest->request + XF_MAP_START);
    size_t count = guest->row_count + (guest->arg_types[k] == EXTFN_TEXT ? (size_t)1 : 0);
    *ret_size = count * element_size(guest->arg_types[k]);
    return guest->request + columns[k].values_offset;
}

bool xf_python_are_columns_inside(const xf_guest *guest)
{
    const xf_wire_column *columns = (const void *)(guest->request + XF_MAP_START);
    for (uint32_t k = 0; k < guest->arg_count; k++) {
        size_t size = 0;
        (void)xf_python_column(guest, k, &size);
        if (columns[k].values_offset > XF_MAP_SIZE || columns[k].bytes_offset > XF_MAP_SIZE ||
            size > XF_MAP_SIZE - columns[k].values_offset)
            return false;
    }
    return true;
}

static PyObject *make_moment(const xf_python *python, int64_t microseconds)
{
    PyObject *count = PyLong_FromLongLong(microseconds);
    if (!count)
        return NULL;
    PyObject *moment = PyObject_VectorcallDict(python->make_moment, &count, 1, NULL);
    Py_DecRef(count);
    return moment;
}

PyObject *xf_python_make_value(const xf_python *python, uint32_t k, uint32_t row)
{
    const xf_guest *guest = &python->guest;
    const xf_wire_column *columns = (const void *)(guest->request + XF_MAP_START);
    const void *wire = guest->request + columns[k].values_offset;
    switch (guest->arg_types[k]) {
    case EXTFN_NUMBER:
        return PyFloat_FromDouble(((const double *)wire)[row]);
    case EXTFN_BOOLEAN:
        return PyBool_FromLong(((const uint8_t *)wire)[row]);
    case EXTFN_ENUM:
        return PyLong_FromLongLong(((const uint32_t *)wire)[row]);
    case EXTFN_DATETIME:
        return make_moment(python, ((const int64_t *)wire)[row]);
    default: {
        const uint32_t *ends = (const uint32_t *)wire + row;
        const char *bytes = (const char *)guest->request + columns[k].bytes_offset;
        return PyUnicode_FromStringAndSize(bytes + ends[0], (ptrdiff_t)(ends[1] - ends[0]));
    }
    }
}

/* ---- Out of Python ---- */

/* What needs no look by the driver's own check, which knows all that a result may be. */
static bool is_plain(const xf_guest *guest, PyObject *result)
{
    ptrdiff_t size = 0;
    long long number = 0;
    switch (guest->return_type) {
    case EXTFN_NUMBER:
        return result->ob_type == &PyFloat_Type;
    case EXTFN_BOOLEAN:
        return result->ob_type == &PyBool_Type;
    case EXTFN_TEXT:
        if (result->ob_type != &PyUnicode_Type)
            return false;
        if (PyUnicode_AsUTF8AndSize(result, &size))
            return size <= XF_VALUE_LIMIT;
        PyErr_Clear(); /* the check finds it once more */
        return false;
    case EXTFN_ENUM:
        if (result->ob_type != &PyLong_Type)
            return false;
        number = PyLong_AsLongLong(result);
        if (number == -1)
            PyErr_Clear();
        return number >= 0 && number <= UINT32_MAX;
    default:
        return false;
    }
}

PyObject *xf_python_check(const xf_python *python, PyObject *result)
{
    if (!is_plain(&python->guest, result))
        return PyObject_VectorcallDict(python->check, &result, 1, NULL);
    Py_IncRef(result);
    return result;
}

void xf_python_put_text(xf_guest *guest, const char *data, size_t size, xf_wire_text *ret_slot)
{
    while (!xf_guest_put_text(guest, data, size, ret_slot)) {
        if (!xf_guest_empty_heap(guest))
            _exit(0);
    }
}

static bool store_text(xf_guest *guest, PyObject *checked)
{
    const char *data = NULL;
    char *bytes = NULL;
    ptrdiff_t size = 0;
    if (checked->ob_type == &PyUnicode_Type)
        data = PyUnicode_AsUTF8AndSize(checked, &size);
    else if (PyBytes_AsStringAndSize(checked, &bytes, &size) == 0)
        data = bytes;
    if (!data)
        return false;
    xf_wire_text slot;
    xf_python_put_text(guest, data, (size_t)size, &slot);
    xf_guest_write_slot(guest, &slot);
    return true;
}

static bool store_number(const xf_guest *guest, PyObject *checked)
{
    double number = PyFloat_AsDouble(checked);
    if (number == -1 && PyErr_Occurred())
        return false;
    xf_guest_write_slot(guest, &number);
    return true;
}

bool xf_python_store_checked(xf_guest *guest, PyObject *checked)
{
    if (guest->return_type == EXTFN_NUMBER)
        return store_number(guest, checked);
    if (guest->return_type == EXTFN_TEXT)
        return store_text(guest, checked);
    int64_t slot = PyLong_AsLongLong(checked);
    if (slot == -1 && PyErr_Occurred())
        return false;
    xf_guest_write_slot(guest, &slot);
    return true;
}

bool xf_python_store(xf_python *python, PyObject *result)
{
    PyObject *checked = xf_python_check(python, result);
    if (!checked)
        return false;
    bool is_stored = xf_python_store_checked(&python->guest, checked);
    Py_DecRef(checked);
    return is_stored;
}
