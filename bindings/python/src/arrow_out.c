/* Columns as arrays of Arrow, whose buffers are the column's own where the layout is the same.
 * SPDX-License-Identifier: MIT */
#include "arrow.h"
#include "module.h"

#include <stdlib.h>

#define BITS_OF_BYTE 8

/* What an array points to, until whoever has it releases it: from any thread, without Python. */
typedef struct export
{
    py_rows *rows;
    uint8_t *validity; /* or NULL */
    uint8_t *bits;     /* of booleans */
    const void *buffers[3];
}
export;

static const char *format_of(extfn_type type)
{
    static const char *const formats[] = {
        [EXTFN_NUMBER] = "g",         [EXTFN_BOOLEAN] = "b", [EXTFN_TEXT] = "U",
        [EXTFN_DATETIME] = "tsu:UTC", [EXTFN_ENUM] = "I",
    };
    return formats[type];
}

/* ---- The schema ---- */

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void free_schema(PyObject *capsule)
{
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (schema && schema->release)
        schema->release(schema);
    free(schema);
}

PyObject *py_column_arrow_schema(PyObject *self, PyObject *Py_UNUSED(unused))
{
    struct ArrowSchema *schema = calloc(1, sizeof(*schema));
    if (!schema)
        return PyErr_NoMemory();
    *schema = (struct ArrowSchema){.format = format_of(
                                       extfn_column_type(((py_column *)self)->rows->column)),
                                   .name = "",
                                   .flags = ARROW_FLAG_NULLABLE,
                                   .release = release_schema};
    PyObject *capsule = PyCapsule_New(schema, "arrow_schema", free_schema);
    if (!capsule)
        free(schema);
    return capsule;
}

/* ---- The array ---- */

static void free_export(export *own)
{
    py_rows_release(own->rows);
    free(own->validity);
    free(own->bits);
    free(own);
}

static void release_array(struct ArrowArray *array)
{
    free_export(array->private_data);
    array->release = NULL;
}

static void free_array(PyObject *capsule)
{
    struct ArrowArray *array = PyCapsule_GetPointer(capsule, "arrow_array");
    if (array && array->release)
        array->release(array);
    free(array);
}

static uint8_t *new_bits(int64_t rows)
{
    return calloc((size_t)rows / BITS_OF_BYTE + 1, 1);
}

static void set_bit(uint8_t *bits, int64_t row)
{
    bits[row / BITS_OF_BYTE] |= (uint8_t)(1U << (row % BITS_OF_BYTE));
}

static bool fill_validity(export *own, const extfn_column *column, int64_t rows)
{
    if (extfn_column_error_count(column) == 0)
        return true;
    own->validity = new_bits(rows);
    for (int64_t row = 0; own->validity && row < rows; row++) {
        if (!extfn_column_is_error(column, row))
            set_bit(own->validity, row);
    }
    return own->validity != NULL;
}

static bool fill_booleans(export *own, const uint8_t *booleans, int64_t rows)
{
    own->bits = new_bits(rows);
    for (int64_t row = 0; own->bits && row < rows; row++) {
        if (booleans[row])
            set_bit(own->bits, row);
    }
    return own->bits != NULL;
}

static bool fill(export *own, const extfn_column *column, int64_t rows)
{
    const uint8_t *booleans = extfn_column_booleans(column);
    if (!fill_validity(own, column, rows) || (booleans && !fill_booleans(own, booleans, rows)))
        return false;
    const void *const candidates[] = {extfn_column_numbers(column), own->bits,
                                      extfn_column_datetimes(column), extfn_column_enums(column),
                                      extfn_column_text_offsets(column)};
    for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++) {
        if (candidates[i])
            own->buffers[1] = candidates[i];
    }
    own->buffers[0] = own->validity;
    own->buffers[2] = extfn_column_text_bytes(column);
    return true;
}

static export *make_export(const py_column *self)
{
    export *own = calloc(1, sizeof(*own));
    if (!own)
        return NULL;
    own->rows = py_rows_hold(self->rows);
    if (fill(own, self->rows->column, self->count))
        return own;
    free_export(own);
    return NULL;
}

static PyObject *array_capsule(const py_column *self)
{
    struct ArrowArray *array = calloc(1, sizeof(*array));
    export *own = make_export(self);
    if (!array || !own) {
        free(array);
        if (own)
            free_export(own);
        return PyErr_NoMemory();
    }
    *array = (struct ArrowArray){.length = self->count,
                                 .null_count = extfn_column_error_count(self->rows->column),
                                 .n_buffers = own->buffers[2] ? 3 : 2,
                                 .buffers = own->buffers,
                                 .release = release_array,
                                 .private_data = own};
    PyObject *capsule = PyCapsule_New(array, "arrow_array", free_array);
    if (!capsule) {
        release_array(array);
        free(array);
    }
    return capsule;
}

/* Another schema that is asked for is a wish; it is the consumer's to cast. */
PyObject *py_column_arrow_array(PyObject *self, PyObject *args, PyObject *keywords)
{
    PyObject *requested = NULL;
    static char *names[] = {"requested_schema", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O", names, &requested))
        return NULL;
    PyObject *schema = py_column_arrow_schema(self, NULL);
    PyObject *array = schema ? array_capsule((py_column *)self) : NULL;
    if (!array) {
        Py_XDECREF(schema);
        return NULL;
    }
    return Py_BuildValue("NN", schema, array);
}
