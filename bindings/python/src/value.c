/* Values of Python as values of functions, and back. SPDX-License-Identifier: MIT */
#include "module.h"

#include <stdio.h>
#include <string.h>

static const char *const words[] = {
    [EXTFN_NUMBER] = "number",     [EXTFN_BOOLEAN] = "boolean", [EXTFN_TEXT] = "text",
    [EXTFN_DATETIME] = "datetime", [EXTFN_ENUM] = "enum",
};

const char *py_type_word(extfn_type type)
{
    return words[type];
}

extfn_type py_type_read(const char *word)
{
    for (extfn_type type = EXTFN_NUMBER; type <= EXTFN_ENUM; type++) {
        if (strcmp(word, words[type]) == 0)
            return type;
    }
    (void)PyErr_Format(PyExc_ValueError, "'%s' is no type: number, boolean, text, datetime, enum",
                       word);
    return EXTFN_NONE;
}

/* ---- Into the library: each is handed an object of any type, and says whether it fits ---- */

typedef enum reading { READ, RAISED, MISFIT } reading;

static reading read_integer(PyObject *given, extfn_value *ret_value)
{
    double number = PyLong_AsDouble(given);
    if (number == -1.0 && PyErr_Occurred()) {
        PyErr_Clear();
        (void)PyErr_Format(PyExc_ValueError, "no Number is as large as this integer");
        return RAISED;
    }
    PyObject *back = PyLong_FromDouble(number);
    int is_exact = back ? PyObject_RichCompareBool(back, given, Py_EQ) : -1;
    Py_XDECREF(back);
    if (is_exact == 0)
        (void)PyErr_Format(PyExc_ValueError, "no Number is exactly %R", given);
    if (is_exact != 1)
        return RAISED;
    *ret_value = extfn_value_number(number);
    return READ;
}

static reading read_number(PyObject *given, extfn_value *ret_value)
{
    if (PyFloat_Check(given)) {
        *ret_value = extfn_value_number(PyFloat_AsDouble(given));
        return READ;
    }
    return PyLong_Check(given) && !PyBool_Check(given) ? read_integer(given, ret_value) : MISFIT;
}

static reading read_boolean(PyObject *given, extfn_value *ret_value)
{
    if (!PyBool_Check(given))
        return MISFIT;
    *ret_value = extfn_value_boolean(given == Py_True);
    return READ;
}

static reading read_text(PyObject *given, extfn_value *ret_value)
{
    if (!PyUnicode_Check(given))
        return MISFIT;
    Py_ssize_t size = 0;
    const char *data = PyUnicode_AsUTF8AndSize(given, &size);
    if (!data)
        return RAISED;
    extfn_error err = {0};
    if (extfn_value_text(data, (size_t)size, ret_value, &err) == EXTFN_OK)
        return READ;
    (void)py_raise(&err, NULL, -1);
    return RAISED;
}

static bool get_integer(PyObject *object, const char *name, long long *ret_integer)
{
    PyObject *integer = PyObject_GetAttrString(object, name);
    *ret_integer = integer ? PyLong_AsLongLong(integer) : -1;
    Py_XDECREF(integer);
    return !PyErr_Occurred();
}

/* Microseconds since 1970, of which a class made from datetime may have parts. */
static reading count_microseconds(PyObject *given, int64_t *ret_microseconds)
{
    PyObject *zone = PyObject_GetAttrString(given, "tzinfo");
    if (!zone)
        return RAISED;
    PyObject *epoch = zone == Py_None ? py_module.naive_epoch : py_module.epoch;
    Py_DECREF(zone);
    PyObject *since = PyNumber_Subtract(given, epoch);
    long long days = 0;
    long long seconds = 0;
    long long rest = 0;
    bool is_read = since && get_integer(since, "days", &days) &&
                   get_integer(since, "seconds", &seconds) &&
                   get_integer(since, "microseconds", &rest);
    Py_XDECREF(since);
    *ret_microseconds = (days * 86400 + seconds) * 1000000 + rest;
    return is_read ? READ : RAISED;
}

/* What pandas has beyond datetime: nanoseconds, and a time that is none. */
static reading check_subclass(PyObject *given, bool *ret_is_missing)
{
    int is_itself = PyObject_RichCompareBool(given, given, Py_EQ);
    PyObject *same = PyObject_RichCompare(given, given, Py_NE);
    *ret_is_missing = same == Py_True;
    Py_XDECREF(same);
    if (is_itself < 0 || !same)
        return RAISED;
    long long nanoseconds = 0;
    if (*ret_is_missing || !PyObject_HasAttrString(given, "nanosecond"))
        return READ;
    if (!get_integer(given, "nanosecond", &nanoseconds))
        return RAISED;
    if (nanoseconds == 0)
        return READ;
    (void)PyErr_Format(PyExc_ValueError, "%S is no whole number of microseconds", given);
    return RAISED;
}

static reading read_datetime(PyObject *given, extfn_value *ret_value)
{
    int is_datetime = PyObject_IsInstance(given, py_module.datetime);
    if (is_datetime <= 0)
        return is_datetime == 0 ? MISFIT : RAISED;
    if ((PyObject *)Py_TYPE(given) != py_module.datetime) {
        bool is_missing = false;
        reading checked = check_subclass(given, &is_missing);
        if (checked != READ || is_missing)
            return checked;
    }
    int64_t microseconds = 0;
    reading counted = count_microseconds(given, &microseconds);
    if (counted == READ)
        *ret_value = extfn_value_datetime(microseconds);
    return counted;
}

static reading read_enum(PyObject *given, extfn_value *ret_value)
{
    if (!PyLong_Check(given) || PyBool_Check(given))
        return MISFIT;
    int overflow = 0;
    long long index = PyLong_AsLongLongAndOverflow(given, &overflow);
    if (overflow != 0 || index < 0 || index > UINT32_MAX) {
        (void)PyErr_Format(PyExc_ValueError, "an Enum is 0 to 4294967295, not %R", given);
        return RAISED;
    }
    *ret_value = extfn_value_enum((uint32_t)index);
    return READ;
}

static reading (*const readers[])(PyObject *given, extfn_value *ret_value) = {
    [EXTFN_NUMBER] = read_number,     [EXTFN_BOOLEAN] = read_boolean, [EXTFN_TEXT] = read_text,
    [EXTFN_DATETIME] = read_datetime, [EXTFN_ENUM] = read_enum,
};

/* A NumPy scalar (it has a `dtype`) becomes the Python value that it stands for. */
static PyObject *unwrap(PyObject *given)
{
    if (PyObject_HasAttrString(given, "dtype") && PyObject_HasAttrString(given, "item"))
        return PyObject_CallMethod(given, "item", NULL);
    return Py_NewRef(given);
}

void py_place_write(const py_place *place, char ret_text[PY_PLACE_SIZE])
{
    ret_text[0] = '\0';
    int size = place->function ? snprintf(ret_text, PY_PLACE_SIZE, "function %s: argument %zu",
                                          place->function, place->position)
                               : snprintf(ret_text, PY_PLACE_SIZE, "column");
    if (place->row >= 0 && size > 0 && size < PY_PLACE_SIZE) {
        (void)snprintf(ret_text + size, PY_PLACE_SIZE - (size_t)size, ": row %lld",
                       (long long)place->row);
    }
}

/* A ValueError with the place in front; other exceptions, such as a lack of memory, as they are. */
static void add_place(const py_place *place)
{
    PyObject *type = NULL;
    PyObject *value = NULL;
    PyObject *trace = NULL;
    char where[PY_PLACE_SIZE];
    if (!PyErr_ExceptionMatches(PyExc_ValueError))
        return;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *text = value ? PyObject_Str(value) : NULL;
    const char *message = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    py_place_write(place, where);
    (void)py_raise_status(EXTFN_EINVAL, "%s: %s", where, message ? message : "cannot be read");
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

static void raise_misfit(PyObject *given, extfn_type type, const py_place *place)
{
    char where[PY_PLACE_SIZE];
    py_place_write(place, where);
    PyObject *name = PyType_GetName(Py_TYPE(given));
    const char *word = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    if (word) {
        (void)py_raise_status(EXTFN_ETYPE, "%s type mismatch, expected %s, got %s", where,
                              extfn_type_text(type), word);
    }
    Py_XDECREF(name);
}

bool py_value_read(PyObject *given, extfn_type type, const py_place *place, extfn_value *ret_value)
{
    *ret_value = (extfn_value){0};
    if (given == Py_None)
        return true;
    reading outcome = readers[type](given, ret_value);
    if (outcome == MISFIT) {
        PyObject *plain = unwrap(given);
        if (!plain)
            return false;
        outcome = plain == given ? MISFIT : readers[type](plain, ret_value);
        Py_DECREF(plain);
    }
    if (outcome == MISFIT)
        raise_misfit(given, type, place);
    if (outcome == RAISED)
        add_place(place);
    return outcome == READ;
}

/* ---- Out of it ---- */

static PyObject *write_datetime(int64_t microseconds)
{
    PyObject *since =
        PyObject_CallFunction(py_module.timedelta, "iiL", 0, 0, (long long)microseconds);
    PyObject *result = since ? PyNumber_Add(py_module.epoch, since) : NULL;
    Py_XDECREF(since);
    return result;
}

PyObject *py_value_write(const extfn_value *value)
{
    switch (value->type) {
    case EXTFN_NUMBER:
        return PyFloat_FromDouble(value->as.number);
    case EXTFN_BOOLEAN:
        return PyBool_FromLong(value->as.boolean);
    case EXTFN_TEXT:
        return PyUnicode_DecodeUTF8(value->as.text.data ? value->as.text.data : "",
                                    (Py_ssize_t)value->as.text.size, NULL);
    case EXTFN_DATETIME:
        return write_datetime(value->as.datetime);
    case EXTFN_ENUM:
        return PyLong_FromUnsignedLong(value->as.index);
    case EXTFN_NONE:
    case EXTFN_ERROR:
    default:
        return Py_NewRef(Py_None);
    }
}
