/* The part of Python's C interface that the guest library uses, declared here so that no Python
 * need be installed to build it; the same in CPython 3.9 and later, but for builds without the
 * global lock. Weak, as in r_api.h. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_LIB_PYTHON_API_H
#define XF_GUEST_LIB_PYTHON_API_H

#include <stddef.h>

/* NOLINTBEGIN(readability-identifier-naming): Python's own names */
typedef struct PyTypeObject PyTypeObject;
typedef struct PyThreadState PyThreadState;

typedef struct PyObject {
    ptrdiff_t ob_refcnt;
    PyTypeObject *ob_type;
} PyObject;

typedef PyObject *xf_python_call(PyObject *function, PyObject *const *args, size_t count,
                                 PyObject *keywords);

typedef PyObject *(*PyCFunction)(PyObject *self, PyObject *args);

typedef struct PyMethodDef {
    const char *ml_name;
    PyCFunction ml_meth;
    int ml_flags;
    const char *ml_doc;
} PyMethodDef;

typedef struct PyModuleDef {
    PyObject ob_base;
    PyObject *(*m_init)(void);
    ptrdiff_t m_index;
    PyObject *m_copy;
    const char *m_name;
    const char *m_doc;
    ptrdiff_t m_size;
    PyMethodDef *m_methods;
    void *m_slots;
    void *m_traverse;
    void *m_clear;
    void *m_free;
} PyModuleDef;

#define METH_VARARGS 1
#define METH_NOARGS 4
#define METH_O 8
#define PYTHON_API_VERSION 1013
#define PyBUF_READ 0x100
#define PyBUF_WRITE 0x200

#pragma weak _Py_NoneStruct
#pragma weak _Py_TrueStruct
#pragma weak PyBool_Type
#pragma weak PyFloat_Type
#pragma weak PyFunction_Type
#pragma weak PyLong_Type
#pragma weak PyUnicode_Type
#pragma weak PyExc_ValueError
extern PyObject _Py_NoneStruct;
extern PyObject _Py_TrueStruct;
extern PyTypeObject PyBool_Type;
extern PyTypeObject PyFloat_Type;
extern PyTypeObject PyFunction_Type;
extern PyTypeObject PyLong_Type;
extern PyTypeObject PyUnicode_Type;
extern PyObject *PyExc_ValueError;

#define XF_PYTHON_WEAK(result) extern __attribute__((weak)) result

/* clang-format off */
XF_PYTHON_WEAK(void) Py_IncRef(PyObject *object);
XF_PYTHON_WEAK(void) Py_DecRef(PyObject *object);
XF_PYTHON_WEAK(PyThreadState *) PyEval_SaveThread(void);
XF_PYTHON_WEAK(void) PyEval_RestoreThread(PyThreadState *thread);
extern __attribute__((weak)) xf_python_call PyObject_VectorcallDict;
extern __attribute__((weak)) xf_python_call _PyFunction_Vectorcall; /* where it is exported */
XF_PYTHON_WEAK(PyObject *) PyModule_Create2(PyModuleDef *definition, int version);
XF_PYTHON_WEAK(void *) PyModule_GetState(PyObject *module);
XF_PYTHON_WEAK(PyObject *) PyErr_Occurred(void);
XF_PYTHON_WEAK(void) PyErr_Clear(void);
XF_PYTHON_WEAK(void) PyErr_SetString(PyObject *exception, const char *message);
XF_PYTHON_WEAK(int) PyArg_ParseTuple(PyObject *args, const char *format, ...);
XF_PYTHON_WEAK(PyObject *) Py_BuildValue(const char *format, ...);
XF_PYTHON_WEAK(PyObject *) PyFloat_FromDouble(double value);
XF_PYTHON_WEAK(double) PyFloat_AsDouble(PyObject *value);
XF_PYTHON_WEAK(PyObject *) PyBool_FromLong(long value);
XF_PYTHON_WEAK(PyObject *) PyLong_FromLongLong(long long value);
XF_PYTHON_WEAK(long long) PyLong_AsLongLong(PyObject *value);
XF_PYTHON_WEAK(PyObject *) PyUnicode_FromStringAndSize(const char *data, ptrdiff_t size);
XF_PYTHON_WEAK(const char *) PyUnicode_AsUTF8AndSize(PyObject *text, ptrdiff_t *ret_size);
XF_PYTHON_WEAK(PyObject *) PyBytes_FromStringAndSize(const char *data, ptrdiff_t size);
XF_PYTHON_WEAK(int) PyBytes_AsStringAndSize(PyObject *bytes, char **ret_data, ptrdiff_t *ret_size);
XF_PYTHON_WEAK(PyObject *) PyMemoryView_FromMemory(char *data, ptrdiff_t size, int flags);
XF_PYTHON_WEAK(int) PyDict_Next(PyObject *dict, ptrdiff_t *place, PyObject **key, PyObject **value);
XF_PYTHON_WEAK(PyObject *) PyList_New(ptrdiff_t count);
XF_PYTHON_WEAK(ptrdiff_t) PyList_Size(PyObject *list);
XF_PYTHON_WEAK(PyObject *) PyList_GetItem(PyObject *list, ptrdiff_t at);
XF_PYTHON_WEAK(int) PyList_SetItem(PyObject *list, ptrdiff_t at, PyObject *item);
XF_PYTHON_WEAK(PyObject *) PySequence_List(PyObject *sequence);
/* clang-format on */
/* NOLINTEND(readability-identifier-naming) */

#endif
