/* Functions over measures. SPDX-License-Identifier: MIT */
#include "module.h"

#include <stdlib.h>

#define DIMENSION_LIMIT 32

/* One measure's names and items, whose owners are Python's. */
typedef struct measure_texts {
    const char *dimensions[DIMENSION_LIMIT];
    const uint32_t *items[DIMENSION_LIMIT];
} measure_texts;

/* (names, [columns of items], column of values) */
static bool read_measure(PyObject *given, measure_texts *texts, extfn_measure *ret_measure)
{
    PyObject *names = NULL;
    PyObject *items = NULL;
    PyObject *values = NULL;
    if (!PyArg_ParseTuple(given, "O!O!O!", &PyTuple_Type, &names, &PyList_Type, &items,
                          py_module.column_type, &values))
        return false;
    Py_ssize_t count = PyTuple_Size(names);
    if (count > DIMENSION_LIMIT)
        return py_raise_status(EXTFN_EINVAL, "a measure has %d dimensions at most",
                               DIMENSION_LIMIT);
    const extfn_column *column = ((py_column *)values)->rows->column;
    for (Py_ssize_t i = 0; i < count; i++) {
        py_column *one = (py_column *)PyList_GetItem(items, i);
        texts->dimensions[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, i), NULL);
        if (!one || !texts->dimensions[i])
            return false;
        if (one->count != extfn_column_rows(column) ||
            extfn_column_error_count(one->rows->column) > 0) {
            return py_raise_status(EXTFN_EINVAL,
                                   "dimension '%s': each of the %lld values needs an item",
                                   texts->dimensions[i], (long long)extfn_column_rows(column));
        }
        texts->items[i] = extfn_column_enums(one->rows->column);
    }
    *ret_measure = (extfn_measure){.dimensions = texts->dimensions,
                                   .items = texts->items,
                                   .dimension_count = (size_t)count,
                                   .values = column};
    return true;
}

/* ---- The result ---- */

static PyObject *copy_items(const uint32_t *items, int64_t rows)
{
    extfn_column *column = NULL;
    extfn_error err = {0};
    const extfn_buffers buffers = {.struct_size = sizeof(buffers), .rows = rows, .values = items};
    if (extfn_column_new(EXTFN_ENUM, &column, &err) == EXTFN_OK &&
        extfn_column_append_buffers(column, &buffers, &err) == EXTFN_OK)
        return py_column_take(column);
    extfn_column_free(column);
    return py_raise(&err, NULL, -1);
}

static PyObject *write_cells(extfn_cells *cells)
{
    const extfn_measure measure = extfn_cells_measure(cells);
    int64_t rows = extfn_column_rows(measure.values);
    PyObject *dimensions = PyDict_New();
    for (size_t i = 0; dimensions && i < measure.dimension_count; i++) {
        PyObject *items = copy_items(measure.items[i], rows);
        if (!items || PyDict_SetItemString(dimensions, measure.dimensions[i], items) != 0)
            Py_CLEAR(dimensions);
        Py_XDECREF(items);
    }
    PyObject *values = py_column_take_cells(cells);
    if (!dimensions || !values) {
        Py_XDECREF(dimensions);
        Py_XDECREF(values);
        return NULL;
    }
    return Py_BuildValue("NN", dimensions, values);
}

/* ---- The call ---- */

typedef struct measures {
    measure_texts *texts;
    extfn_measure items[EXTFN_ARGUMENT_LIMIT];
    size_t count;
} measures;

static bool read_measures(PyObject *list, measures *ret_measures)
{
    ret_measures->count = (size_t)PyList_Size(list);
    if (ret_measures->count > EXTFN_ARGUMENT_LIMIT)
        return py_raise_status(EXTFN_EINVAL, "a function has %d arguments at most",
                               EXTFN_ARGUMENT_LIMIT);
    ret_measures->texts = calloc(ret_measures->count + 1, sizeof(*ret_measures->texts));
    if (!ret_measures->texts)
        return PyErr_NoMemory();
    for (size_t i = 0; i < ret_measures->count; i++) {
        if (!read_measure(PyList_GetItem(list, (Py_ssize_t)i), &ret_measures->texts[i],
                          &ret_measures->items[i]))
            return false;
    }
    return true;
}

PyObject *py_host_refresh(PyObject *self, PyObject *args)
{
    PyObject *function = NULL;
    PyObject *list = NULL;
    extfn_call_options options = {.struct_size = sizeof(options)};
    long long timeout_us = 0;
    long long deadline_us = 0;
    Py_ssize_t workers = 0;
    if (!PyArg_ParseTuple(args, "O!O!LLn", py_module.function_type, &function, &PyList_Type, &list,
                          &timeout_us, &deadline_us, &workers))
        return NULL;
    options.timeout_us = timeout_us;
    options.deadline_us = deadline_us;
    options.workers = (size_t)workers;
    measures given = {0};
    py_request request = {.function = ((py_function *)function)->function,
                          .options = options,
                          .is_refresh = true};
    PyObject *result = NULL;
    if (read_measures(list, &given)) {
        request.measures = given.items;
        request.count = given.count;
        if (py_evaluate((py_host *)self, &request))
            result = write_cells(request.cells);
    }
    free(given.texts);
    return result;
}
