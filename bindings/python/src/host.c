/* The host object: made when it is needed, and again in a forked child. SPDX-License-Identifier:
 * MIT */
#include "module.h"

#include <stddef.h>
#include <unistd.h>

/* ---- Options: a dict with some of these members ---- */

typedef enum option_kind { SIZE, SIGNED, BOOLEAN, TEXT } option_kind;

static const struct {
    const char *name;
    option_kind kind;
    size_t offset;
} known_options[] = {
    {"is_unsandboxed_allowed", BOOLEAN, offsetof(extfn_host_options, is_unsandboxed_allowed)},
    {"search_path", TEXT, offsetof(extfn_host_options, search_path)},
    {"timeout_us", SIGNED, offsetof(extfn_host_options, timeout_us)},
    {"start_timeout_us", SIGNED, offsetof(extfn_host_options, start_timeout_us)},
    {"memory_bytes", SIZE, offsetof(extfn_host_options, memory_bytes)},
    {"tmp_bytes", SIZE, offsetof(extfn_host_options, tmp_bytes)},
    {"warm_workers", SIZE, offsetof(extfn_host_options, warm_workers)},
    {"workers", SIZE, offsetof(extfn_host_options, workers)},
    {"idle_timeout_us", SIGNED, offsetof(extfn_host_options, idle_timeout_us)},
    {"workers_memory_bytes", SIZE, offsetof(extfn_host_options, workers_memory_bytes)},
    {"is_spare_kept", BOOLEAN, offsetof(extfn_host_options, is_spare_kept)},
    {"memo_bytes", SIZE, offsetof(extfn_host_options, memo_bytes)},
};

#define OPTION_COUNT (sizeof(known_options) / sizeof(known_options[0]))

static bool read_option(PyObject *given, option_kind kind, void *field)
{
    switch (kind) {
    case SIZE:
        *(uint64_t *)field = PyLong_AsUnsignedLongLong(given);
        break;
    case SIGNED:
        *(int64_t *)field = PyLong_AsLongLong(given);
        break;
    case BOOLEAN:
        *(bool *)field = PyObject_IsTrue(given) == 1;
        break;
    case TEXT:
        *(const char **)field = PyUnicode_AsUTF8AndSize(given, NULL);
        break;
    }
    return !PyErr_Occurred();
}

/* Paths of each language, by its name in lower case. */
static bool read_paths(PyObject *options, const char *name,
                       const char *ret_paths[EXTFN_LANGUAGE_COUNT])
{
    PyObject *paths = PyDict_GetItemString(options, name);
    PyObject *language = NULL;
    PyObject *path = NULL;
    Py_ssize_t position = 0;
    while (paths && PyDict_Next(paths, &position, &language, &path)) {
        const char *word = PyUnicode_AsUTF8AndSize(language, NULL);
        const char *text = word ? PyUnicode_AsUTF8AndSize(path, NULL) : NULL;
        if (!text)
            return false;
        extfn_language id = EXTFN_PYTHON;
        extfn_error err = {0};
        if (extfn_language_parse(word, &id, &err) != EXTFN_OK)
            return py_raise(&err, NULL, -1);
        ret_paths[id] = text;
    }
    return true;
}

/* What the environment says, but for what the dict sets; texts are borrowed from both. */
static bool read_options(PyObject *given, extfn_host_options *ret_options)
{
    extfn_host_options_from_environment(ret_options);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        PyObject *value = PyDict_GetItemString(given, known_options[i].name);
        void *field = (char *)ret_options + known_options[i].offset;
        if (value && !read_option(value, known_options[i].kind, field))
            return false;
    }
    PyObject *is_trusted = PyDict_GetItemString(given, "is_trusted");
    if (is_trusted)
        ret_options->policy = is_trusted == Py_True ? EXTFN_TRUSTED : EXTFN_RESTRICTED;
    return read_paths(given, "interpreters", ret_options->interpreters) &&
           read_paths(given, "packages", ret_options->packages);
}

/* ---- One process's object ---- */

static void free_both(py_host *self)
{
    extfn_queue_free(self->queue);
    extfn_host_free(self->host);
    self->queue = NULL;
    self->host = NULL;
}

/* The parent's calls are not this process's: where some were under way, what they use is left. */
static void leave_to_parent(py_host *self)
{
    if (self->calls == 0)
        free_both(self);
    self->queue = NULL;
    self->host = NULL;
    self->calls = 0;
}

static bool make_host(py_host *self)
{
    extfn_host_options options = {0};
    extfn_error err = {0};
    if (!read_options(self->options, &options))
        return false;
    if (extfn_host_new(&options, &self->host, &err) != EXTFN_OK)
        return py_raise(&err, NULL, -1);
    self->owner = getpid();
    return true;
}

extfn_host *py_host_enter(py_host *self)
{
    if (self->is_closed)
        return py_raise_status(EXTFN_EINVAL, "the host object is closed");
    if (self->host && self->owner != getpid())
        leave_to_parent(self);
    if (!self->host && !make_host(self))
        return NULL;
    self->calls++;
    return self->host;
}

void py_host_leave(py_host *self)
{
    if (--self->calls == 0 && self->is_closed)
        free_both(self);
}

py_host *py_host_default(void)
{
    if (!py_module.default_host) {
        PyObject *module = PyImport_ImportModule("extfn._host");
        py_module.default_host = module ? PyObject_CallMethod(module, "Host", NULL) : NULL;
        Py_XDECREF(module);
    }
    return (py_host *)py_module.default_host;
}

/* ---- The type ---- */

static PyObject *new (PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *options = NULL;
    extfn_host_options read = {0};
    static char *names[] = {"options", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O!", names, &PyDict_Type, &options))
        return NULL;
    py_host *self = py_object_new(type);
    if (!self)
        return NULL;
    self->options = options ? PyDict_Copy(options) : PyDict_New();
    if (!self->options || !read_options(self->options, &read))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static PyObject *close_host(PyObject *object, PyObject *Py_UNUSED(unused))
{
    py_host *self = (py_host *)object;
    self->is_closed = true;
    if (self->host && self->owner != getpid())
        leave_to_parent(self);
    else if (self->calls == 0)
        free_both(self);
    return Py_NewRef(Py_None);
}

static void dealloc(PyObject *self)
{
    Py_XDECREF(close_host(self, NULL));
    Py_XDECREF(((py_host *)self)->options);
    py_object_free(self);
}

static PyObject *stats(PyObject *object, PyObject *Py_UNUSED(unused))
{
    py_host *self = (py_host *)object;
    extfn_stats seen = {.struct_size = sizeof(seen)};
    extfn_host *host = py_host_enter(self);
    if (!host)
        return NULL;
    extfn_host_stats(host, &seen);
    py_host_leave(self);
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K}", "workers_started",
                         seen.workers_started, "workers_warm", seen.workers_warm, "workers_ended",
                         seen.workers_ended, "memo_hits", seen.memo_hits, "memo_misses",
                         seen.memo_misses, "memo_entries", seen.memo_entries, "memo_bytes",
                         seen.memo_bytes, "memo_evictions", seen.memo_evictions);
}

static PyMethodDef methods[] = {
    {"_call", py_host_call, METH_VARARGS, NULL},
    {"_apply", py_host_apply, METH_VARARGS, NULL},
    {"_refresh", py_host_refresh, METH_VARARGS, NULL},
    {"stats", stats, METH_NOARGS, NULL},
    {"close", close_host, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_new, new},
                              {Py_tp_dealloc, dealloc},
                              {Py_tp_methods, methods},
                              {0, NULL}};

PyType_Spec py_host_spec = {.name = "extfn._extfn.Host",
                            .basicsize = sizeof(py_host),
                            .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                            .slots = slots};
