/* Calls: Python's arguments in, a result out. SPDX-License-Identifier: MIT */
#include "module.h"

/* ---- One call ---- */

typedef struct arguments {
    extfn_value items[EXTFN_ARGUMENT_LIMIT];
    size_t count;
} arguments;

static void clear(arguments *args)
{
    for (size_t i = 0; i < args->count; i++)
        extfn_value_clear(&args->items[i]);
}

static void *raise_missing(const extfn_function *function, size_t position)
{
    const char *name = extfn_function_arg_name(function, position);
    PyObject *type = PyDict_GetItemString(py_module.errors, "MissingInput");
    if (name)
        return PyErr_Format(type, "function %s: missing input: %s", extfn_function_name(function),
                            name);
    return PyErr_Format(type, "function %s: missing input: argument %zu",
                        extfn_function_name(function), position);
}

static void *raise_arity(const extfn_function *function, size_t count)
{
    return py_raise_status(EXTFN_EARITY, "function %s: expected %zu argument(s), got %zu",
                           extfn_function_name(function), extfn_function_arity(function), count);
}

/* The argument at a position, borrowed: of the positional ones, or of the others by its name. */
static PyObject *find(const extfn_function *function, size_t position, PyObject *args,
                      PyObject *keywords)
{
    size_t given = (size_t)PyTuple_Size(args);
    const char *name = extfn_function_arg_name(function, position);
    PyObject *named = keywords && name ? PyDict_GetItemString(keywords, name) : NULL;
    if (position >= given)
        return named;
    if (named) {
        return PyErr_Format(PyExc_TypeError, "function %s: argument '%s' is given twice",
                            extfn_function_name(function), name);
    }
    return PyTuple_GetItem(args, (Py_ssize_t)position);
}

static bool read_one(const extfn_function *function, size_t position, PyObject *given,
                     extfn_value *ret_value)
{
    const py_place place = {extfn_function_name(function), position, -1};
    if (!py_value_read(given, extfn_function_arg_type(function, position), &place, ret_value))
        return false;
    return ret_value->type != EXTFN_NONE || raise_missing(function, position);
}

static bool read_all(const extfn_function *function, PyObject *args, PyObject *keywords,
                     arguments *ret_args)
{
    size_t given = (size_t)PyTuple_Size(args) + (keywords ? (size_t)PyDict_Size(keywords) : 0);
    if (given != extfn_function_arity(function))
        return raise_arity(function, given);
    for (size_t i = 0; i < given; i++) {
        PyObject *item = find(function, i, args, keywords);
        if (!item && !PyErr_Occurred()) {
            const char *name = extfn_function_arg_name(function, i);
            return PyErr_Format(PyExc_TypeError, "function %s: argument '%s' is not given",
                                extfn_function_name(function), name ? name : "");
        }
        if (!item || !read_one(function, i, item, &ret_args->items[i]))
            return false;
        ret_args->count++;
    }
    return true;
}

PyObject *py_call(py_host *host, py_function *function, PyObject *args, PyObject *keywords,
                  int64_t timeout_us, int64_t deadline_us)
{
    arguments read;
    read.count = 0;
    PyObject *result = NULL;
    if (read_all(function->function, args, keywords, &read)) {
        py_request request = {.function = function->function,
                              .args = read.items,
                              .count = read.count};
        request.options.timeout_us = timeout_us;
        request.options.deadline_us = deadline_us;
        if (py_evaluate(host, &request)) {
            result = py_value_write(&request.value);
            extfn_value_clear(&request.value);
        }
    }
    clear(&read);
    return result;
}

PyObject *py_host_call(PyObject *self, PyObject *args)
{
    PyObject *function = NULL;
    PyObject *given = NULL;
    PyObject *keywords = NULL;
    long long timeout_us = 0;
    long long deadline_us = 0;
    if (!PyArg_ParseTuple(args, "O!O!O!LL", py_module.function_type, &function, &PyTuple_Type,
                          &given, &PyDict_Type, &keywords, &timeout_us, &deadline_us))
        return NULL;
    return py_call((py_host *)self, (py_function *)function, given, keywords, timeout_us,
                   deadline_us);
}

/* ---- A batch ---- */

/* A callable is told; once it raised, the call ends. */
static void tell_progress(int64_t done, int64_t total, void *context)
{
    py_request *request = context;
    PyGILState_STATE lock = PyGILState_Ensure();
    if (!request->is_interrupted && !PyErr_Occurred()) { /* nor was the call canceled */
        PyObject *result =
            PyObject_CallFunction(request->on_progress, "LL", (long long)done, (long long)total);
        if (!result) {
            request->is_interrupted = true;
            PyErr_Fetch(&request->raised[0], &request->raised[1], &request->raised[2]);
            extfn_cancel_trigger(request->cancel);
        }
        Py_XDECREF(result);
    }
    PyGILState_Release(lock);
}

static void keep_first(const extfn_failure *failure, void *context)
{
    py_first_failure *first = context;
    if (first->row < 0)
        *first = (py_first_failure){failure->row, *failure->error};
}

/* The columns' handles, which the list keeps; they have to be as many as the arguments. */
static bool read_columns(PyObject *list, const extfn_column *ret_columns[EXTFN_ARGUMENT_LIMIT])
{
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        PyObject *item = PyList_GetItem(list, i);
        if (!PyObject_TypeCheck(item, py_module.column_type))
            return PyErr_Format(PyExc_TypeError, "a column is needed, not %R", item);
        ret_columns[i] = ((py_column *)item)->rows->column;
    }
    return true;
}

static bool set_options(py_request *request, PyObject *on_progress)
{
    request->options.on_failure = keep_first;
    request->options.failure_context = &request->first_failure;
    if (on_progress == Py_None)
        return true;
    if (extfn_cancel_new(&request->cancel, &request->error) != EXTFN_OK)
        return py_raise(&request->error, NULL, -1);
    request->on_progress = on_progress;
    request->options.cancel = request->cancel;
    request->options.on_progress = tell_progress;
    request->options.context = request;
    return true;
}

/* The column, and the first row that failed with the kind of its status, or None. */
static PyObject *make_outcome(py_request *request)
{
    PyObject *column = py_column_take(request->column);
    if (!column)
        return NULL;
    const py_first_failure *first = &request->first_failure;
    PyObject *failure = first->row < 0 ? Py_NewRef(Py_None)
                                       : Py_BuildValue("Ls", (long long)first->row,
                                                       extfn_status_kind(first->error.status));
    return failure ? Py_BuildValue("NN", column, failure) : NULL;
}

PyObject *py_host_apply(PyObject *self, PyObject *args)
{
    PyObject *function = NULL;
    PyObject *list = NULL;
    PyObject *on_progress = NULL;
    long long rows = 0;
    long long timeout_us = 0;
    long long deadline_us = 0;
    Py_ssize_t workers = 0;
    const extfn_column *columns[EXTFN_ARGUMENT_LIMIT];
    if (!PyArg_ParseTuple(args, "O!O!LLLnO", py_module.function_type, &function, &PyList_Type,
                          &list, &rows, &timeout_us, &deadline_us, &workers, &on_progress))
        return NULL;
    py_request request = {.function = ((py_function *)function)->function,
                          .is_batch = true,
                          .columns = columns,
                          .count = (size_t)PyList_Size(list),
                          .rows = rows,
                          .first_failure = {.row = -1}};
    if (request.count != extfn_function_arity(request.function))
        return raise_arity(request.function, request.count);
    request.options.timeout_us = timeout_us;
    request.options.deadline_us = deadline_us;
    request.options.workers = (size_t)workers;
    if (!read_columns(list, columns) || !set_options(&request, on_progress))
        return NULL;
    return py_evaluate((py_host *)self, &request) ? make_outcome(&request) : NULL;
}
