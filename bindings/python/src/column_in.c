/* Columns from what Python programs have. SPDX-License-Identifier: MIT */
#include "module.h"

#include <string.h>

static extfn_status append(const py_source *source, const extfn_value *value, extfn_error *err)
{
    if (value->type != EXTFN_NONE)
        return extfn_column_append(source->column, value, err);
    return extfn_column_append_error(source->column, EXTFN_KIND_MISSING_INPUT, source->missing,
                                     err);
}

static bool append_item(const py_source *source, PyObject *item, Py_ssize_t row)
{
    py_place place = source->place;
    place.row = row;
    extfn_value value;
    if (!py_value_read(item, source->type, &place, &value))
        return false;
    extfn_error err = {0};
    extfn_status status = append(source, &value, &err);
    extfn_value_clear(&value);
    return status == EXTFN_OK || py_raise(&err, NULL, row);
}

/* Of text a str is one value, and bytes are none. */
static bool read_sequence(const py_source *source, PyObject *given)
{
    if (PyUnicode_Check(given) || PyBytes_Check(given)) {
        char where[PY_PLACE_SIZE];
        py_place_write(&source->place, where);
        return py_raise_status(EXTFN_ETYPE, "%s: a column is needed, not a str or bytes", where);
    }
    PyObject *iterator = PyObject_GetIter(given);
    if (!iterator)
        return false;
    PyObject *item = NULL;
    bool is_read = true;
    for (Py_ssize_t row = 0; is_read && (item = PyIter_Next(iterator)) != NULL; row++) {
        is_read = append_item(source, item, row);
        Py_DECREF(item);
    }
    Py_DECREF(iterator);
    return is_read && !PyErr_Occurred();
}

static bool read_any(const py_source *source, PyObject *given, const char *unit)
{
    if (!unit && PyObject_HasAttrString(given, "__arrow_c_stream__"))
        return py_read_arrow_stream(source, given);
    if (!unit && PyObject_HasAttrString(given, "__arrow_c_array__"))
        return py_read_arrow_array(source, given);
    if (PyObject_CheckBuffer(given) && !PyBytes_Check(given))
        return py_read_buffer(source, given, unit);
    return read_sequence(source, given);
}

/* One of ours is a column already. */
static PyObject *use(const py_source *source, PyObject *given)
{
    const extfn_column *column = ((py_column *)given)->rows->column;
    if (extfn_column_type(column) == source->type)
        return Py_NewRef(given);
    char where[PY_PLACE_SIZE];
    py_place_write(&source->place, where);
    return py_raise_status(EXTFN_ETYPE, "%s type mismatch, expected %s, got %s", where,
                           extfn_type_text(source->type),
                           extfn_type_text(extfn_column_type(column)));
}

PyObject *py_make_column(PyObject *Py_UNUSED(module), PyObject *args)
{
    const char *word = NULL;
    PyObject *given = NULL;
    Py_ssize_t position = 0;
    const char *unit = NULL;
    py_source source = {.place = {.row = -1}};
    if (!PyArg_ParseTuple(args, "sOznsz", &word, &given, &source.place.function, &position,
                          &source.missing, &unit))
        return NULL;
    source.place.position = (size_t)position;
    source.type = py_type_read(word);
    if (source.type == EXTFN_NONE)
        return NULL;
    if (PyObject_TypeCheck(given, py_module.column_type))
        return use(&source, given);
    extfn_error err = {0};
    if (extfn_column_new(source.type, &source.column, &err) != EXTFN_OK)
        return py_raise(&err, NULL, -1);
    if (read_any(&source, given, unit))
        return py_column_take(source.column);
    extfn_column_free(source.column);
    return NULL;
}
