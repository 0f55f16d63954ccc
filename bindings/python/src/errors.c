/* Statuses of the library as exceptions. SPDX-License-Identifier: MIT */
#include "module.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Sets an attribute and gives the value up; a failure is what is raised then. */
static bool set_attribute(PyObject *exception, const char *name, PyObject *value)
{
    if (!value)
        return false;
    int status = PyObject_SetAttrString(exception, name, value);
    Py_DECREF(value);
    return status == 0;
}

static bool set_text(PyObject *exception, const char *name, const char *data, size_t size)
{
    return size == 0 ||
           set_attribute(exception, name, PyUnicode_DecodeUTF8(data, (Py_ssize_t)size, "replace"));
}

static bool set_details(PyObject *exception, const extfn_output *output, int64_t row)
{
    if (row >= 0 && !set_attribute(exception, "row", PyLong_FromLongLong(row)))
        return false;
    return !output || (set_text(exception, "stdout", output->stdout_data, output->stdout_size) &&
                       set_text(exception, "stderr", output->stderr_data, output->stderr_size));
}

void *py_raise(const extfn_error *err, const extfn_output *output, int64_t row)
{
    if (err->status == EXTFN_ENOMEM)
        return PyErr_NoMemory();
    PyObject *type = PyDict_GetItemString(py_module.errors, extfn_status_kind(err->status));
    if (!type)
        return PyErr_Format(PyExc_SystemError, "status %d has no exception", (int)err->status);
    PyObject *message =
        PyUnicode_DecodeUTF8(err->message, (Py_ssize_t)strlen(err->message), "replace");
    PyObject *exception = message ? PyObject_CallFunctionObjArgs(type, message, NULL) : NULL;
    Py_XDECREF(message);
    if (!exception)
        return NULL;
    if (set_details(exception, output, row))
        PyErr_SetObject(type, exception);
    Py_DECREF(exception);
    return NULL;
}

void *py_raise_status(extfn_status status, const char *format, ...)
{
    extfn_error err = {.status = status};
    va_list rest;
    va_start(rest, format);
    (void)vsnprintf(err.message, sizeof(err.message), format, rest);
    va_end(rest);
    return py_raise(&err, NULL, -1);
}
