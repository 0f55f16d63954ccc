/* A column as Python sees it: a sequence, and a buffer. SPDX-License-Identifier: MIT */
#include "module.h"

#include <stdlib.h>

/* ---- Rows with several holders ---- */

py_rows *py_rows_hold(py_rows *rows)
{
    (void)atomic_fetch_add(&rows->holders, 1);
    return rows;
}

void py_rows_release(py_rows *rows)
{
    if (!rows || atomic_fetch_sub(&rows->holders, 1) > 1)
        return;
    extfn_cells_free(rows->cells);
    extfn_column_free(rows->own);
    free(rows);
}

static PyObject *wrap(py_rows *rows)
{
    py_column *self = py_object_new(py_module.column_type);
    if (!self)
        return NULL;
    self->rows = py_rows_hold(rows);
    self->count = (Py_ssize_t)extfn_column_rows(rows->column);
    return (PyObject *)self;
}

static PyObject *take(extfn_column *column, extfn_cells *cells)
{
    py_rows *rows = calloc(1, sizeof(*rows));
    if (!rows) {
        extfn_column_free(column);
        extfn_cells_free(cells);
        return PyErr_NoMemory();
    }
    *rows = (py_rows){.holders = 1,
                      .column = cells ? extfn_cells_measure(cells).values : column,
                      .own = column,
                      .cells = cells};
    PyObject *self = wrap(rows);
    py_rows_release(rows);
    return self;
}

PyObject *py_column_take(extfn_column *column)
{
    return take(column, NULL);
}

PyObject *py_column_take_cells(extfn_cells *cells)
{
    return take(NULL, cells);
}

static const extfn_column *column_of(PyObject *self)
{
    return ((py_column *)self)->rows->column;
}

/* ---- Rows, one by one ---- */

static Py_ssize_t length(PyObject *self)
{
    return ((py_column *)self)->count;
}

static PyObject *get_row(const extfn_column *column, int64_t row)
{
    extfn_value value = {0};
    extfn_error err = {0};
    if (extfn_column_get(column, row, &value, &err) != EXTFN_OK)
        return py_raise(&err, NULL, -1);
    PyObject *result = py_value_write(&value);
    extfn_value_clear(&value);
    return result;
}

static PyObject *get_item(PyObject *self, Py_ssize_t row)
{
    if (row >= 0 && row < length(self))
        return get_row(column_of(self), row);
    PyErr_SetString(PyExc_IndexError, "the column has no such row");
    return NULL;
}

/* What is wrong with a row, or None. */
static PyObject *get_error(const py_column *self, int64_t row)
{
    extfn_value value = {0};
    extfn_error err = {0};
    if (!extfn_column_is_error(self->rows->column, row))
        return Py_NewRef(Py_None);
    if (extfn_column_get(self->rows->column, row, &value, &err) != EXTFN_OK)
        return py_raise(&err, NULL, -1);
    bool is_quiet = self->are_missing_quiet && value.as.error.kind == EXTFN_KIND_MISSING_INPUT;
    PyObject *message = is_quiet ? Py_NewRef(Py_None)
                                 : PyUnicode_DecodeUTF8(value.as.error.message,
                                                        (Py_ssize_t)value.as.error.size, "replace");
    extfn_value_clear(&value);
    return message;
}

static PyObject *list_rows(const py_column *self,
                           PyObject *(*get)(const py_column *self, int64_t row))
{
    PyObject *list = PyList_New(self->count);
    for (Py_ssize_t i = 0; list && i < self->count; i++) {
        PyObject *item = get(self, i);
        if (!item || PyList_SetItem(list, i, item) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *get_value(const py_column *self, int64_t row)
{
    return get_row(self->rows->column, row);
}

static PyObject *to_list(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return list_rows((py_column *)self, get_value);
}

static PyObject *get_errors(PyObject *self, void *Py_UNUSED(unused))
{
    return list_rows((py_column *)self, get_error);
}

static bool is_missing(const extfn_column *column, int64_t row)
{
    extfn_value value = {0};
    if (extfn_column_get(column, row, &value, NULL) != EXTFN_OK)
        return false;
    bool is_so = value.type == EXTFN_ERROR && value.as.error.kind == EXTFN_KIND_MISSING_INPUT;
    extfn_value_clear(&value);
    return is_so;
}

/* The first row with an error, its message, and whether its input was missing; or None. */
static PyObject *first_error(PyObject *object, PyObject *Py_UNUSED(unused))
{
    py_column *self = (py_column *)object;
    const extfn_column *column = self->rows->column;
    for (int64_t row = 0; extfn_column_error_count(column) > 0 && row < self->count; row++) {
        if (!extfn_column_is_error(column, row))
            continue;
        bool missing = is_missing(column, row);
        if (missing && self->are_missing_quiet)
            continue;
        PyObject *message = get_error(self, row);
        return message ? Py_BuildValue("LNO", (long long)row, message, missing ? Py_True : Py_False)
                       : NULL;
    }
    return Py_NewRef(Py_None);
}

static PyObject *quieted(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *other = wrap(((py_column *)self)->rows);
    if (other)
        ((py_column *)other)->are_missing_quiet = true;
    return other;
}

static PyObject *get_type(PyObject *self, void *Py_UNUSED(unused))
{
    return PyUnicode_FromString(py_type_word(extfn_column_type(column_of(self))));
}

static PyObject *get_null_count(PyObject *self, void *Py_UNUSED(unused))
{
    return PyLong_FromLongLong(extfn_column_error_count(column_of(self)));
}

static PyObject *represent(PyObject *self)
{
    const extfn_column *column = column_of(self);
    return PyUnicode_FromFormat("<extfn.Column of %s, %zd rows, %lld without a value>",
                                py_type_word(extfn_column_type(column)), length(self),
                                (long long)extfn_column_error_count(column));
}

/* ---- As a buffer: what NumPy reads in place ---- */

typedef struct layout {
    const void *values;
    char *format;
    Py_ssize_t width;
} layout;

static layout layout_of(const extfn_column *column)
{
    switch (extfn_column_type(column)) {
    case EXTFN_NUMBER:
        return (layout){extfn_column_numbers(column), "d", sizeof(double)};
    case EXTFN_BOOLEAN:
        return (layout){extfn_column_booleans(column), "?", sizeof(uint8_t)};
    case EXTFN_DATETIME:
        return (layout){extfn_column_datetimes(column), "q", sizeof(int64_t)};
    case EXTFN_ENUM:
        return (layout){extfn_column_enums(column), "I", sizeof(uint32_t)};
    case EXTFN_NONE:
    case EXTFN_TEXT:
    case EXTFN_ERROR:
    default:
        return (layout){0};
    }
}

static int get_buffer(PyObject *object, Py_buffer *view, int flags)
{
    py_column *self = (py_column *)object;
    const layout found = layout_of(self->rows->column);
    const char *reason = !found.values ? "texts are no buffer; use to_list or Arrow"
                         : extfn_column_error_count(self->rows->column) > 0
                             ? "rows without a value are no buffer; use to_list or Arrow"
                         : (flags & PyBUF_WRITABLE) == PyBUF_WRITABLE
                             ? "columns cannot be written to"
                             : NULL;
    view->obj = NULL;
    if (reason) {
        PyErr_SetString(PyExc_BufferError, reason);
        return -1;
    }
    *view = (Py_buffer){.buf = (void *)(uintptr_t)found.values,
                        .obj = Py_NewRef(object),
                        .len = self->count * found.width,
                        .itemsize = found.width,
                        .readonly = 1,
                        .ndim = 1,
                        .format = (flags & PyBUF_FORMAT) == PyBUF_FORMAT ? found.format : NULL,
                        .shape = (flags & PyBUF_ND) == PyBUF_ND ? &self->count : NULL};
    if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES)
        view->strides = &view->itemsize;
    return 0;
}

/* ---- The type ---- */

static PyObject *refuse_new(PyTypeObject *Py_UNUSED(type), PyObject *Py_UNUSED(args),
                            PyObject *Py_UNUSED(keywords))
{
    PyErr_SetString(PyExc_TypeError, "columns come from extfn.column and from calls");
    return NULL;
}

static void dealloc(PyObject *self)
{
    py_rows_release(((py_column *)self)->rows);
    py_object_free(self);
}

static PyGetSetDef attributes[] = {
    {"type", get_type, NULL, NULL, NULL},
    {"errors", get_errors, NULL, NULL, NULL},
    {"null_count", get_null_count, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"to_list", to_list, METH_NOARGS, NULL},
    {"_first_error", first_error, METH_NOARGS, NULL},
    {"_quieted", quieted, METH_NOARGS, NULL},
    {"__arrow_c_schema__", py_column_arrow_schema, METH_NOARGS, NULL},
    {"__arrow_c_array__", (PyCFunction)(void (*)(void))py_column_arrow_array,
     METH_VARARGS | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, refuse_new},       {Py_tp_dealloc, dealloc},
    {Py_tp_repr, represent},       {Py_tp_iter, PySeqIter_New},
    {Py_sq_length, length},        {Py_sq_item, get_item},
    {Py_bf_getbuffer, get_buffer}, {Py_tp_getset, attributes},
    {Py_tp_methods, methods},      {0, NULL},
};

PyType_Spec py_column_spec = {.name = "extfn._extfn.Column",
                              .basicsize = sizeof(py_column),
                              .flags = Py_TPFLAGS_DEFAULT,
                              .slots = slots};
