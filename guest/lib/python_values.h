/* Python values from columns and into slots. What fails has set an exception.
 * SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_LIB_PYTHON_VALUES_H
#define XF_GUEST_LIB_PYTHON_VALUES_H

#include "guest.h"
#include "python_api.h"

/* `args` among the parameters of a body. */
#define XF_PYTHON_ARGS (-1)

/* The worker's state, which lives in the module object. */
typedef struct xf_python {
    xf_guest guest;
    PyObject *run;         /* the body: a function of its parameters */
    xf_python_call *call;  /* what calls it */
    PyObject *check;       /* of a result: what the slot holds, or raises */
    PyObject *after;       /* ends a row; or None */
    PyObject *make_moment; /* of microseconds */
    uint32_t parameter_count;
    int parameters[EXTFN_ARGUMENT_LIMIT + 1]; /* numbers of arguments, or XF_PYTHON_ARGS */
    bool is_used[EXTFN_ARGUMENT_LIMIT];       /* by a parameter */
    bool needs_list;                          /* one of them is XF_PYTHON_ARGS */
} xf_python;

/* Whether the columns of the call lie inside the request map. */
bool xf_python_are_columns_inside(const xf_guest *guest);

/* Where column k's values lie, and their size. */
const void *xf_python_column(const xf_guest *guest, uint32_t k, size_t *ret_size);

/* A new value of argument k in a row; NULL: it failed. */
PyObject *xf_python_make_value(const xf_python *python, uint32_t k, uint32_t row);

/* A new reference to what is in the slot of a result; NULL: it is none. */
PyObject *xf_python_check(const xf_python *python, PyObject *result);

/* Writes the slot of the row under way, which the host may have to empty the heap for. */
bool xf_python_store(xf_python *python, PyObject *result);

/* The same of one that was checked. */
bool xf_python_store_checked(xf_guest *guest, PyObject *checked);

/* Puts a text into the heap, which the host empties when it is full. */
void xf_python_put_text(xf_guest *guest, const char *data, size_t size, xf_wire_text *ret_slot);

#endif
