/* A function: what stands in it, and how it is called. SPDX-License-Identifier: MIT */
#include "module.h"

#include <string.h>

static extfn_function *function_of(PyObject *self)
{
    return ((py_function *)self)->function;
}

/* Takes the function. */
static PyObject *make(PyTypeObject *type, extfn_function *function)
{
    py_function *self = py_object_new(type);
    if (!self) {
        extfn_function_unref(function);
        return NULL;
    }
    self->function = function;
    return (PyObject *)self;
}

static void dealloc(PyObject *self)
{
    extfn_function_unref(function_of(self));
    py_object_free(self);
}

static PyObject *refuse_new(PyTypeObject *Py_UNUSED(type), PyObject *Py_UNUSED(args),
                            PyObject *Py_UNUSED(keywords))
{
    PyErr_SetString(PyExc_TypeError, "functions come from extfn.load or from_json");
    return NULL;
}

/* ---- Loading ---- */

static PyObject *from_json(PyObject *type, PyObject *text)
{
    Py_ssize_t size = 0;
    const char *json = PyUnicode_AsUTF8AndSize(text, &size);
    if (!json)
        return NULL;
    extfn_function *function = NULL;
    extfn_error err = {0};
    if (extfn_function_from_json(json, (size_t)size, &function, &err) != EXTFN_OK)
        return py_raise(&err, NULL, -1);
    return make((PyTypeObject *)type, function);
}

static PyObject *to_json(PyObject *self, PyObject *Py_UNUSED(unused))
{
    char *json = NULL;
    extfn_error err = {0};
    if (extfn_function_to_json(function_of(self), &json, &err) != EXTFN_OK)
        return py_raise(&err, NULL, -1);
    PyObject *text = PyUnicode_FromString(json);
    extfn_text_free(json);
    return text;
}

/* Tells a callable of each bad file, until it raises. */
static void tell_problem(const char *path, const extfn_error *problem, void *context)
{
    if (PyErr_Occurred())
        return;
    PyObject *place = PyUnicode_DecodeFSDefault(path);
    PyObject *message =
        PyUnicode_DecodeUTF8(problem->message, (Py_ssize_t)strlen(problem->message), "replace");
    if (place && message)
        Py_XDECREF(PyObject_CallFunctionObjArgs(context, place, message, NULL));
    Py_XDECREF(place);
    Py_XDECREF(message);
}

static PyObject *list_functions(PyTypeObject *type, const extfn_registry *registry)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < extfn_registry_count(registry); i++) {
        PyObject *function = make(type, extfn_registry_at(registry, i));
        if (!function || PyList_Append(list, function) != 0)
            Py_CLEAR(list);
        Py_XDECREF(function);
    }
    return list;
}

PyObject *py_load(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *type = NULL;
    PyObject *path = NULL;
    PyObject *on_problem = NULL;
    if (!PyArg_ParseTuple(args, "OO&O", &type, PyUnicode_FSConverter, &path, &on_problem))
        return NULL;
    extfn_registry *registry = NULL;
    extfn_error err = {0};
    extfn_problem_fn *tell = on_problem == Py_None ? NULL : tell_problem;
    PyObject *list = NULL;
    if (extfn_registry_new(&registry, &err) != EXTFN_OK ||
        extfn_registry_load(registry, PyBytes_AsString(path), tell, on_problem, &err) != EXTFN_OK) {
        if (!PyErr_Occurred())
            (void)py_raise(&err, NULL, -1);
    } else if (!PyErr_Occurred()) {
        list = list_functions((PyTypeObject *)type, registry);
    }
    extfn_registry_free(registry);
    Py_DECREF(path);
    return list;
}

/* ---- What stands in it ---- */

static PyObject *get_name(PyObject *self, void *Py_UNUSED(unused))
{
    return PyUnicode_FromString(extfn_function_name(function_of(self)));
}

static PyObject *get_language(PyObject *self, void *Py_UNUSED(unused))
{
    return PyUnicode_FromString(extfn_language_text(extfn_function_language(function_of(self))));
}

static PyObject *get_body(PyObject *self, void *Py_UNUSED(unused))
{
    size_t size = 0;
    const char *body = extfn_function_body(function_of(self), &size);
    return PyUnicode_DecodeUTF8(body, (Py_ssize_t)size, "replace");
}

static PyObject *get_arg_types(PyObject *self, void *Py_UNUSED(unused))
{
    const extfn_function *function = function_of(self);
    size_t count = extfn_function_arity(function);
    PyObject *types = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; types && i < count; i++) {
        PyObject *word = PyUnicode_FromString(py_type_word(extfn_function_arg_type(function, i)));
        if (!word || PyTuple_SetItem(types, (Py_ssize_t)i, word) != 0)
            Py_CLEAR(types);
    }
    return types;
}

/* None where the arguments have no names. */
static PyObject *get_arg_names(PyObject *self, void *Py_UNUSED(unused))
{
    const extfn_function *function = function_of(self);
    size_t count = extfn_function_arity(function);
    if (count > 0 && !extfn_function_arg_name(function, 0))
        return Py_NewRef(Py_None);
    PyObject *names = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; names && i < count; i++) {
        PyObject *name = PyUnicode_FromString(extfn_function_arg_name(function, i));
        if (!name || PyTuple_SetItem(names, (Py_ssize_t)i, name) != 0)
            Py_CLEAR(names);
    }
    return names;
}

static PyObject *get_return_type(PyObject *self, void *Py_UNUSED(unused))
{
    return PyUnicode_FromString(py_type_word(extfn_function_return_type(function_of(self))));
}

static PyObject *get_pure(PyObject *self, void *Py_UNUSED(unused))
{
    return PyBool_FromLong(extfn_function_is_pure(function_of(self)));
}

static PyObject *get_vectorized(PyObject *self, void *Py_UNUSED(unused))
{
    return PyBool_FromLong(extfn_function_is_vectorized(function_of(self)));
}

static PyObject *get_source_path(PyObject *self, void *Py_UNUSED(unused))
{
    const char *path = extfn_function_source_path(function_of(self));
    return path ? PyUnicode_DecodeFSDefault(path) : Py_NewRef(Py_None);
}

static PyObject *get_signature(PyObject *self, void *Py_UNUSED(unused))
{
    char *text = NULL;
    extfn_error err = {0};
    if (extfn_function_signature(function_of(self), &text, &err) != EXTFN_OK)
        return py_raise(&err, NULL, -1);
    PyObject *signature = PyUnicode_FromString(text);
    extfn_text_free(text);
    return signature;
}

static PyObject *represent(PyObject *self)
{
    PyObject *signature = get_signature(self, NULL);
    PyObject *text = signature ? PyUnicode_FromFormat("<extfn.Function %U>", signature) : NULL;
    Py_XDECREF(signature);
    return text;
}

/* ---- The type ---- */

static PyObject *call(PyObject *self, PyObject *args, PyObject *keywords)
{
    py_host *host = py_host_default();
    return host ? py_call(host, (py_function *)self, args, keywords, 0, 0) : NULL;
}

static PyGetSetDef attributes[] = {
    {"name", get_name, NULL, NULL, NULL},
    {"language", get_language, NULL, NULL, NULL},
    {"body", get_body, NULL, NULL, NULL},
    {"arg_names", get_arg_names, NULL, NULL, NULL},
    {"arg_types", get_arg_types, NULL, NULL, NULL},
    {"return_type", get_return_type, NULL, NULL, NULL},
    {"pure", get_pure, NULL, NULL, NULL},
    {"vectorized", get_vectorized, NULL, NULL, NULL},
    {"signature", get_signature, NULL, NULL, NULL},
    {"source_path", get_source_path, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"_from_json", from_json, METH_O | METH_CLASS, NULL},
    {"_to_json", to_json, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, refuse_new},
    {Py_tp_dealloc, dealloc},
    {Py_tp_repr, represent},
    {Py_tp_call, call},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec py_function_spec = {.name = "extfn._extfn.Function",
                                .basicsize = sizeof(py_function),
                                .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                                .slots = slots};
