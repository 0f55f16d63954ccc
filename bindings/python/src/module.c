/* The module: its types, its functions, its state. SPDX-License-Identifier: MIT */
#include "module.h"

py_module_state py_module;

void *py_object_new(PyTypeObject *type)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return allocate(type, 0);
}

void py_object_free(void *self)
{
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyObject *set_default_host(PyObject *Py_UNUSED(module), PyObject *host)
{
    if (host != Py_None && !PyObject_TypeCheck(host, py_module.host_type))
        return PyErr_Format(PyExc_TypeError, "a host object is needed, not %R", host);
    PyObject *former = py_module.default_host;
    py_module.default_host = host == Py_None ? NULL : Py_NewRef(host);
    return former ? former : Py_NewRef(Py_None);
}

static PyObject *get_default_host(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    return Py_XNewRef((PyObject *)py_host_default());
}

static PyMethodDef functions[] = {
    {"load", py_load, METH_VARARGS, NULL},
    {"column", py_make_column, METH_VARARGS, NULL},
    {"default_host", get_default_host, METH_NOARGS, NULL},
    {"set_default_host", set_default_host, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "extfn._extfn",
                                        .m_size = -1,
                                        .m_methods = functions};

static bool add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **ret_type)
{
    PyObject *type = PyType_FromSpec(spec);
    if (!type || PyModule_AddType(module, (PyTypeObject *)type) != 0) {
        Py_XDECREF(type);
        return false;
    }
    *ret_type = (PyTypeObject *)type;
    return true;
}

static PyObject *attribute_of(const char *module_name, const char *name)
{
    PyObject *module = PyImport_ImportModule(module_name);
    PyObject *found = module ? PyObject_GetAttrString(module, name) : NULL;
    Py_XDECREF(module);
    return found;
}

static bool fill_state(void)
{
    py_module.errors = attribute_of("extfn._errors", "BY_KIND");
    py_module.datetime = attribute_of("datetime", "datetime");
    py_module.timedelta = attribute_of("datetime", "timedelta");
    PyObject *utc = attribute_of("datetime", "UTC");
    if (!py_module.errors || !py_module.datetime || !py_module.timedelta || !utc) {
        Py_XDECREF(utc);
        return false;
    }
    py_module.naive_epoch = PyObject_CallFunction(py_module.datetime, "iii", 1970, 1, 1);
    py_module.epoch =
        PyObject_CallFunction(py_module.datetime, "iiiiiiiO", 1970, 1, 1, 0, 0, 0, 0, utc);
    Py_DECREF(utc);
    return py_module.epoch && py_module.naive_epoch;
}

PyMODINIT_FUNC PyInit__extfn(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
    if (!fill_state() || !add_type(module, &py_function_spec, &py_module.function_type) ||
        !add_type(module, &py_column_spec, &py_module.column_type) ||
        !add_type(module, &py_host_spec, &py_module.host_type)) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
