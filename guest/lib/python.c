/* The module that the Python driver loads: maps, frames, and the loop over rows, for Python is slow
 * at bytes. Every argument is checked before use, as a body can call these too.
 * SPDX-License-Identifier: MIT */
#include "python_values.h"

#include "base/alloc.h"
#include "base/text.h"

#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

int xf_guest_seal(void);

/* NOLINTNEXTLINE(readability-identifier-naming): the name that Python looks for */
EXPORT PyObject *PyInit_xf_guest(void);

static PyObject *none(void)
{
    Py_IncRef(&_Py_NoneStruct);
    return &_Py_NoneStruct;
}

static PyObject *refuse(const char *message)
{
    PyErr_SetString(PyExc_ValueError, message);
    return NULL;
}

/* Whether the descriptors are what the host gives. */
static PyObject *open_maps(PyObject *module, PyObject *unused)
{
    (void)unused;
    xf_python *python = PyModule_GetState(module);
    return PyBool_FromLong(xf_guest_map(&python->guest));
}

static PyObject *seal(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyLong_FromLongLong(xf_guest_seal());
}

/* ---- Frames ---- */

/* The type of the next frame, whose rows are now under way; 0 when the host is gone. Threads of the
 * body may run meanwhile. */
static PyObject *read_frame(PyObject *module, PyObject *unused)
{
    (void)unused;
    xf_python *python = PyModule_GetState(module);
    PyThreadState *thread = PyEval_SaveThread();
    uint16_t type = xf_guest_read_frame(&python->guest);
    if (type == XF_FRAME_CALL && !xf_python_are_columns_inside(&python->guest))
        _exit(2);
    PyEval_RestoreThread(thread);
    return PyLong_FromLongLong(type);
}

static PyObject *send_frame(PyObject *module, PyObject *args)
{
    xf_python *python = PyModule_GetState(module);
    unsigned type = 0;
    unsigned detail = 0;
    if (!PyArg_ParseTuple(args, "II", &type, &detail))
        return NULL;
    return PyBool_FromLong(xf_guest_send_frame(&python->guest, (uint16_t)type, detail));
}

/* The arguments' names or types. */
static PyObject *list_arguments(const xf_guest *guest, bool is_of_names)
{
    PyObject *list = PyList_New(guest->arg_count);
    for (uint32_t k = 0; list && k < guest->arg_count; k++) {
        const char *name = guest->arg_names[k];
        PyObject *item = is_of_names ? PyUnicode_FromStringAndSize(name, (ptrdiff_t)strlen(name))
                                     : PyLong_FromLongLong(guest->arg_types[k]);
        if (!item || PyList_SetItem(list, k, item) != 0) {
            Py_DecRef(list);
            list = NULL;
        }
    }
    return list;
}

/* (flags, type of the result, types and names of the arguments, body). */
static PyObject *read_setup(PyObject *module, PyObject *unused)
{
    (void)unused;
    xf_guest *guest = &((xf_python *)PyModule_GetState(module))->guest;
    const char *body = NULL;
    size_t size = 0;
    if (!xf_guest_read_setup(guest, &body, &size))
        return refuse("too many arguments");
    if (guest->flags & XF_SETUP_VECTORIZED)
        xf_guest_keep_memory();
    PyObject *types = list_arguments(guest, false);
    PyObject *names = types ? list_arguments(guest, true) : NULL;
    PyObject *bytes = names ? PyBytes_FromStringAndSize(body, (ptrdiff_t)size) : NULL;
    if (bytes)
        return Py_BuildValue("(IINNN)", guest->flags, guest->return_type, types, names, bytes);
    Py_DecRef(names);
    Py_DecRef(types);
    return NULL;
}

/* ---- Rows ---- */

static bool take_parameters(xf_python *python, PyObject *numbers)
{
    ptrdiff_t count = PyList_Size(numbers);
    python->parameter_count = 0;
    for (ptrdiff_t i = 0; i < count && i <= EXTFN_ARGUMENT_LIMIT; i++) {
        long long number = PyLong_AsLongLong(PyList_GetItem(numbers, i));
        if (PyErr_Occurred())
            return false;
        if (number < XF_PYTHON_ARGS || number >= (long long)python->guest.arg_count)
            return refuse("no such argument") != NULL;
        for (uint32_t k = 0; k < python->guest.arg_count; k++)
            python->is_used[k] = python->is_used[k] || number == XF_PYTHON_ARGS || number == k;
        python->needs_list = python->needs_list || number == XF_PYTHON_ARGS;
        python->parameters[python->parameter_count++] = (int)number;
    }
    return count >= 0;
}

/* serve(run, parameters, check, after, make_moment): what rows are evaluated with. */
static PyObject *serve(PyObject *module, PyObject *args)
{
    xf_python *python = PyModule_GetState(module);
    PyObject *given[5] = {NULL};
    if (!PyArg_ParseTuple(args, "OOOOO", &given[0], &given[1], &given[2], &given[3], &given[4]) ||
        !take_parameters(python, given[1]))
        return NULL;
    PyObject **const kept[5] = {&python->run, NULL, &python->check, &python->after,
                                &python->make_moment};
    for (int i = 0; i < 5; i++) {
        if (!kept[i])
            continue;
        Py_IncRef(given[i]);
        *kept[i] = given[i];
    }
    bool is_function = python->run->ob_type == &PyFunction_Type && _PyFunction_Vectorcall;
    python->call = is_function ? _PyFunction_Vectorcall : PyObject_VectorcallDict;
    return none();
}

/* A new list of all arguments; `values` stay the caller's. */
static PyObject *make_args(const xf_python *python, PyObject *const values[])
{
    PyObject *list = PyList_New(python->guest.arg_count);
    for (uint32_t k = 0; list && k < python->guest.arg_count; k++) {
        Py_IncRef(values[k]);
        (void)PyList_SetItem(list, k, values[k]);
    }
    return list;
}

static PyObject *call_body(const xf_python *python, PyObject *const values[])
{
    PyObject *given[EXTFN_ARGUMENT_LIMIT + 1];
    PyObject *list = python->needs_list ? make_args(python, values) : NULL;
    if (python->needs_list && !list)
        return NULL;
    for (uint32_t i = 0; i < python->parameter_count; i++) {
        int number = python->parameters[i];
        given[i] = number == XF_PYTHON_ARGS ? list : values[number];
    }
    PyObject *result = python->call(python->run, given, python->parameter_count, NULL);
    Py_DecRef(list);
    return result;
}

/* What the body makes of the row under way. */
static PyObject *evaluate(const xf_python *python)
{
    PyObject *values[EXTFN_ARGUMENT_LIMIT];
    uint32_t made = 0;
    bool is_made = true;
    for (; made < python->guest.arg_count && is_made; made++) {
        values[made] =
            python->is_used[made] ? xf_python_make_value(python, made, python->guest.row) : NULL;
        is_made = values[made] || !python->is_used[made];
    }
    PyObject *result = is_made ? call_body(python, values) : NULL;
    for (uint32_t k = 0; k < made; k++)
        Py_DecRef(values[k]);
    return result;
}

/* What `after` says is true where the worker has to be replaced. */
static bool end_row(xf_python *python, bool *ret_is_worn)
{
    if (python->after != &_Py_NoneStruct) {
        PyObject *done = PyObject_VectorcallDict(python->after, NULL, 0, NULL);
        if (!done)
            return false;
        *ret_is_worn = done == &_Py_TrueStruct;
        Py_DecRef(done);
    }
    xf_guest_write_status(&python->guest, XF_ROW_VALUE);
    return true;
}

/* Evaluates each row from the one under way on; true where a new worker has to take those that are
   left. What the body raises leaves it at its row. */
static PyObject *run(PyObject *module, PyObject *unused)
{
    (void)unused;
    xf_python *python = PyModule_GetState(module);
    if (!python->run)
        return refuse("nothing to run");
    bool is_worn = false;
    while (python->guest.row < python->guest.row_count && !is_worn) {
        PyObject *result = evaluate(python);
        bool is_stored = result && xf_python_store(python, result);
        Py_DecRef(result);
        if (!is_stored || !end_row(python, &is_worn))
            return NULL;
    }
    return PyBool_FromLong(is_worn);
}

/* write_error(message, is_memory, is_for_all): ends the row under way, or all rows left. */
static PyObject *write_error(PyObject *module, PyObject *args)
{
    xf_guest *guest = &((xf_python *)PyModule_GetState(module))->guest;
    PyObject *bytes = NULL;
    char *message = NULL;
    ptrdiff_t size = 0;
    int is_memory = 0;
    int is_for_all = 0;
    if (!PyArg_ParseTuple(args, "Opp", &bytes, &is_memory, &is_for_all) ||
        PyBytes_AsStringAndSize(bytes, &message, &size) != 0)
        return NULL;
    xf_wire_text slot = {0};
    size_t shown = xf_utf8_cut(message, (size_t)size, XF_MESSAGE_LIMIT);
    uint32_t rows = is_for_all ? guest->row_count - guest->row : guest->row < guest->row_count;
    if (rows > 0 && !is_memory)
        xf_python_put_text(guest, message, shown, &slot);
    for (; rows > 0; rows--) {
        xf_guest_write_slot(guest, &slot);
        xf_guest_write_status(guest, is_memory ? XF_ROW_MEMORY : XF_ROW_ERROR);
    }
    return none();
}

/* ---- Columns ---- */

static bool read_number(PyObject *number, uint32_t limit, uint32_t *ret_number)
{
    long long value = PyLong_AsLongLong(number);
    if (PyErr_Occurred())
        return false;
    if (value < 0 || value >= limit)
        return refuse("no such argument or row") != NULL;
    *ret_number = (uint32_t)value;
    return true;
}

/* The values of an argument as they lie in the map. */
static PyObject *column(PyObject *module, PyObject *number)
{
    const xf_guest *guest = &((xf_python *)PyModule_GetState(module))->guest;
    uint32_t k = 0;
    size_t size = 0;
    if (!read_number(number, guest->arg_count, &k))
        return NULL;
    const void *values = xf_python_column(guest, k, &size);
    char *bytes; /* which PyBUF_READ keeps as they are */
    memcpy(&bytes, &values, sizeof(bytes));
    return PyMemoryView_FromMemory(bytes, (ptrdiff_t)size, PyBUF_READ);
}

/* The values of an argument as a list. */
static PyObject *column_list(PyObject *module, PyObject *number)
{
    const xf_python *python = PyModule_GetState(module);
    uint32_t k = 0;
    if (!read_number(number, python->guest.arg_count, &k) || !python->make_moment)
        return NULL;
    PyObject *list = PyList_New(python->guest.row_count);
    for (uint32_t row = 0; list && row < python->guest.row_count; row++) {
        PyObject *value = xf_python_make_value(python, k, row);
        if (!value || PyList_SetItem(list, row, value) != 0) {
            Py_DecRef(list);
            return NULL;
        }
    }
    return list;
}

/* The slots of all rows, to be filled; store_slots then tells the host. */
static PyObject *slots(PyObject *module, PyObject *unused)
{
    (void)unused;
    const xf_guest *guest = &((xf_python *)PyModule_GetState(module))->guest;
    char *start = (char *)guest->reply + xf_wire_slots_offset(guest->row_count);
    return PyMemoryView_FromMemory(start, (ptrdiff_t)8 * guest->row_count, PyBUF_WRITE);
}

static PyObject *store_slots(PyObject *module, PyObject *unused)
{
    (void)unused;
    xf_guest_finish_rows(&((xf_python *)PyModule_GetState(module))->guest);
    return none();
}

/* A new list of results that are checked. */
static PyObject *check_list(PyObject *module, PyObject *results)
{
    const xf_python *python = PyModule_GetState(module);
    if (!python->check)
        return refuse("nothing to check with");
    PyObject *list = PySequence_List(results);
    ptrdiff_t count = list ? PyList_Size(list) : 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        PyObject *result = PyList_GetItem(list, i);
        PyObject *checked = result ? xf_python_check(python, result) : NULL;
        if (!checked || PyList_SetItem(list, i, checked) != 0) {
            Py_DecRef(list);
            return NULL;
        }
    }
    return list;
}

/* Stores a list of as many results as there are rows left. */
static PyObject *store_list(PyObject *module, PyObject *list)
{
    xf_python *python = PyModule_GetState(module);
    xf_guest *guest = &python->guest;
    if (!python->check || PyList_Size(list) != (ptrdiff_t)(guest->row_count - guest->row))
        return refuse("not a result for each row");
    for (ptrdiff_t i = 0; guest->row < guest->row_count; i++) {
        PyObject *checked = PyList_GetItem(list, i);
        if (!checked || !xf_python_store_checked(guest, checked))
            return NULL;
        xf_guest_write_status(guest, XF_ROW_VALUE);
    }
    return none();
}

/* ---- World ---- */

/* is_unchanged(space, names, values): whether a dictionary has just these, in their order. */
static PyObject *is_unchanged(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *given[3];
    if (!PyArg_ParseTuple(args, "OOO", &given[0], &given[1], &given[2]))
        return NULL;
    ptrdiff_t place = 0;
    ptrdiff_t count = 0;
    PyObject *item[2];
    for (; PyDict_Next(given[0], &place, &item[0], &item[1]); count++) {
        if (PyList_GetItem(given[1], count) != item[0] ||
            PyList_GetItem(given[2], count) != item[1]) {
            PyErr_Clear();
            return PyBool_FromLong(false);
        }
    }
    return PyBool_FromLong(count == PyList_Size(given[1]));
}

static const PyMethodDef methods[] = {
    {"open_maps", open_maps, METH_NOARGS, NULL},
    {"seal", seal, METH_NOARGS, NULL},
    {"read_frame", read_frame, METH_NOARGS, NULL},
    {"send_frame", send_frame, METH_VARARGS, NULL},
    {"read_setup", read_setup, METH_NOARGS, NULL},
    {"serve", serve, METH_VARARGS, NULL},
    {"run", run, METH_NOARGS, NULL},
    {"write_error", write_error, METH_VARARGS, NULL},
    {"column", column, METH_O, NULL},
    {"column_list", column_list, METH_O, NULL},
    {"slots", slots, METH_NOARGS, NULL},
    {"store_slots", store_slots, METH_NOARGS, NULL},
    {"check_list", check_list, METH_O, NULL},
    {"store_list", store_list, METH_O, NULL},
    {"is_unchanged", is_unchanged, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* Python writes into the definition and keeps it: it is never freed. */
PyObject *PyInit_xf_guest(void)
{
    PyModuleDef *definition = xf_alloc(sizeof(PyModuleDef));
    PyMethodDef *own = xf_alloc(sizeof(methods));
    if (!definition || !own)
        return NULL;
    memcpy(own, methods, sizeof(methods));
    *definition = (PyModuleDef){.ob_base.ob_refcnt = 1,
                                .m_name = "xf_guest",
                                .m_size = sizeof(xf_python),
                                .m_methods = own};
    return PyModule_Create2(definition, PYTHON_API_VERSION);
}
