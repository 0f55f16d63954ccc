/* What the files of the extension module share. SPDX-License-Identifier: MIT */
#ifndef XF_PYTHON_MODULE_H
#define XF_PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <extfn/extfn.h>
#include <stdatomic.h>
#include <sys/types.h>

/* What the module has once, from its import on. */
typedef struct py_module_state {
    PyTypeObject *function_type;
    PyTypeObject *column_type;
    PyTypeObject *host_type;
    PyObject *errors;       /* the kind of a status, such as "Timeout": its class of exceptions */
    PyObject *datetime;     /* the class, */
    PyObject *timedelta;    /* and this one, */
    PyObject *epoch;        /* 1970 in UTC, */
    PyObject *naive_epoch;  /* and without a zone */
    PyObject *default_host; /* a function's __call__ uses it; made when it is first asked for */
} py_module_state;

extern py_module_state py_module;

/* ---- Objects ---- */

typedef struct py_function {
    PyObject ob_base;
    extfn_function *function;
} py_function;

/* A column that several may hold, other threads and Arrow's consumers among them. */
typedef struct py_rows {
    atomic_size_t holders;
    const extfn_column *column; /* one of these has it: */
    extfn_column *own;
    extfn_cells *cells;
} py_rows;

typedef struct py_column {
    PyObject ob_base;
    py_rows *rows;
    Py_ssize_t count;       /* of rows, for buffers to point to */
    bool are_missing_quiet; /* a row that got no value is a null, and no error */
} py_column;

typedef struct py_host {
    PyObject ob_base;
    PyObject *options;  /* a dict, of which a forked child makes its own host object */
    extfn_host *host;   /* NULL: not made yet */
    extfn_queue *queue; /* of the main thread, while no call has it */
    pid_t owner;        /* the process that made these */
    size_t calls;       /* under way; the last one frees what is closed */
    bool is_closed;
} py_host;

/* An object of this type or of a class of Python that is made from it; NULL: raised. */
void *py_object_new(PyTypeObject *type);

/* The end of a tp_dealloc, once all that the object owns is freed. */
void py_object_free(void *self);

/* ---- Errors (errors.c): each raises, and returns NULL, or false ---- */

/* `output` may be NULL; `row` below 0: no row of a batch. */
void *py_raise(const extfn_error *err, const extfn_output *output, int64_t row);
void *py_raise_status(extfn_status status, const char *format, ...) EXTFN_PRINTF(2, 3);

/* ---- Types and values (value.c) ---- */

/* "number"; and back, EXTFN_NONE: raised. */
const char *py_type_word(extfn_type type);
extfn_type py_type_read(const char *word);

/* Where an argument comes from, for messages. */
typedef struct py_place {
    const char *function; /* its name, or NULL: a column by itself */
    size_t position;      /* of the argument */
    int64_t row;          /* below 0: none */
} py_place;

/* `function f: argument 1: row 7`, NUL-terminated. */
#define PY_PLACE_SIZE 512
void py_place_write(const py_place *place, char ret_text[PY_PLACE_SIZE]);

/* Fills a value of that type, or an empty one of None. False: raised, with the place in front. */
bool py_value_read(PyObject *given, extfn_type type, const py_place *place, extfn_value *ret_value);

/* A new reference; of an Error or an empty value None. */
PyObject *py_value_write(const extfn_value *value);

/* ---- Columns (column.c, column_in.c) ---- */

/* Takes the column; NULL: raised, and the column freed. */
PyObject *py_column_take(extfn_column *column);
PyObject *py_column_take_cells(extfn_cells *cells); /* their values */
py_rows *py_rows_hold(py_rows *rows);
void py_rows_release(py_rows *rows);

/* Where columns come from, and what is said of it. */
typedef struct py_source {
    extfn_column *column; /* grows */
    extfn_type type;
    py_place place;
    const char *missing; /* the message of a row without a value */
} py_source;

/* Each appends all that is there; false: raised. */
bool py_read_arrow_array(const py_source *source, PyObject *given);
bool py_read_arrow_stream(const py_source *source, PyObject *given);
bool py_read_buffer(const py_source *source, PyObject *given, const char *unit);

/* Methods of a column. */
PyObject *py_column_arrow_schema(PyObject *self, PyObject *unused);
PyObject *py_column_arrow_array(PyObject *self, PyObject *args, PyObject *keywords);

/* The function of the module: column(type, source, function name, position, missing, unit). */
PyObject *py_make_column(PyObject *module, PyObject *args);

/* ---- Calls (host.c, wait.c, call.c) ---- */

/* The first row of a batch that failed by itself. */
typedef struct py_first_failure {
    int64_t row; /* -1: none */
    extfn_error error;
} py_first_failure;

/* One call, a batch, or a function over measures. */
typedef struct py_request {
    extfn_function *function;
    bool is_batch;
    bool is_refresh;
    const extfn_value *args;
    const extfn_column *const *columns;
    const extfn_measure *measures;
    size_t count; /* of args, columns or measures */
    int64_t rows;
    extfn_call_options options;
    extfn_cancel *cancel;  /* or NULL */
    PyObject *on_progress; /* or NULL */
    bool is_interrupted;   /* it raised */
    PyObject *raised[3];   /* this */
    py_first_failure first_failure;
    /* The outcome. */
    extfn_value value;
    extfn_column *column;
    extfn_cells *cells;
    extfn_output output;
    extfn_error error;
    extfn_status status;
} py_request;

/* The host object of this process, held until it is given back; NULL: raised. */
extfn_host *py_host_enter(py_host *self);
void py_host_leave(py_host *self);

/* The default one, borrowed; NULL: raised. */
py_host *py_host_default(void);

/* Evaluates without the lock of the interpreter; Ctrl-C and other signals are heard in the main
 * thread. False: raised. Either way the output is freed. */
bool py_evaluate(py_host *host, py_request *request);

/* Evaluates a call whose arguments are Python's; a new reference, or NULL: raised. */
PyObject *py_call(py_host *host, py_function *function, PyObject *args, PyObject *keywords,
                  int64_t timeout_us, int64_t deadline_us);

/* Methods of a host object. */
PyObject *py_host_call(PyObject *self, PyObject *args);
PyObject *py_host_apply(PyObject *self, PyObject *args);
PyObject *py_host_refresh(PyObject *self, PyObject *args);

/* ---- The types ---- */

extern PyType_Spec py_function_spec;
extern PyType_Spec py_column_spec;
extern PyType_Spec py_host_spec;

/* The function of the module: load(class, path, on_problem) → list. */
PyObject *py_load(PyObject *module, PyObject *args);

#endif
