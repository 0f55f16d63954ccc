/* Columns from Arrow's arrays and streams. SPDX-License-Identifier: MIT */
#include "arrow.h"
#include "elements.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an array holds, as its format tells. */
static const struct {
    const char *format;
    const char *name;
    py_element kind;
} fixed_formats[] = {
    {"c", "int8", PY_INT8},          {"s", "int16", PY_INT16},
    {"i", "int32", PY_INT32},        {"l", "int64", PY_INT64},
    {"C", "uint8", PY_UINT8},        {"S", "uint16", PY_UINT16},
    {"I", "uint32", PY_UINT32},      {"L", "uint64", PY_UINT64},
    {"f", "float32", PY_FLOAT32},    {"g", "float64", PY_FLOAT64},
    {"b", "bool", PY_BIT_BOOLEAN},   {"tss:", "timestamp", PY_INT64},
    {"tsm:", "timestamp", PY_INT64}, {"tsu:", "timestamp", PY_INT64},
    {"tsn:", "timestamp", PY_INT64},
};

static const uint8_t *validity_of(const struct ArrowArray *array)
{
    return array->null_count == 0 || array->n_buffers == 0 ? NULL : array->buffers[0];
}

static bool get_bit(const uint8_t *bits, int64_t position)
{
    return !bits || (bits[position / 8] >> (position % 8) & 1) != 0;
}

/* ---- Fixed width ---- */

static Py_ssize_t width_of(py_element kind)
{
    switch (kind) {
#define X(name, type)                                                                              \
    case PY_##name:                                                                                \
        return sizeof(type);
        PY_ELEMENT_MAP(X)
#undef X
    case PY_NO_ELEMENT:
    case PY_BYTE_BOOLEAN:
    case PY_BIT_BOOLEAN:
    default:
        return 0;
    }
}

static int64_t ticks_of(const char *format)
{
    if (strncmp(format, "ts", 2) != 0)
        return 0;
    switch (format[2]) {
    case 's':
        return 1;
    case 'm':
        return 1000;
    case 'u':
        return 1000000;
    default:
        return 1000000000;
    }
}

static bool read_fixed(const py_source *source, const char *format, const struct ArrowArray *array,
                       size_t entry)
{
    py_element kind = fixed_formats[entry].kind;
    Py_ssize_t width = width_of(kind);
    const char *data = array->buffers[1];
    const py_elements elements = {.kind = kind,
                                  .data = width > 0 && data ? data + array->offset * width : data,
                                  .rows = array->length,
                                  .offset = array->offset,
                                  .stride = width,
                                  .validity = validity_of(array),
                                  .validity_offset = array->offset,
                                  .ticks = ticks_of(format),
                                  .name = fixed_formats[entry].name};
    return py_elements_append(source, &elements);
}

/* ---- Texts ---- */

typedef struct text {
    const char *data;
    int64_t size;
} text;

/* Texts of up to 12 bytes lie in their view, others in one of the buffers that it names. */
static text view_at(const struct ArrowArray *array, int64_t row)
{
    const char *view = (const char *)array->buffers[1] + row * 16;
    int32_t parts[4];
    memcpy(parts, view, sizeof(parts));
    if (parts[0] <= 12)
        return (text){view + 4, parts[0]};
    return (text){(const char *)array->buffers[2 + parts[2]] + parts[3], parts[0]};
}

static text text_at(const char *format, const struct ArrowArray *array, int64_t row)
{
    row += array->offset;
    if (format[0] == 'v')
        return view_at(array, row);
    const char *bytes = array->buffers[2];
    if (format[0] == 'U') {
        const int64_t *offsets = array->buffers[1];
        return (text){bytes + offsets[row], offsets[row + 1] - offsets[row]};
    }
    const int32_t *offsets = array->buffers[1];
    return (text){bytes + offsets[row], offsets[row + 1] - offsets[row]};
}

static bool is_text(const char *format)
{
    return strcmp(format, "u") == 0 || strcmp(format, "U") == 0 || strcmp(format, "vu") == 0;
}

/* A text, or a missing input where there is none. */
static bool append_text(const py_source *source, bool is_there, text given, int64_t row)
{
    extfn_error err = {0};
    extfn_status status =
        is_there ? extfn_column_append_text(source->column, given.data, (size_t)given.size, &err)
                 : extfn_column_append_error(source->column, EXTFN_KIND_MISSING_INPUT,
                                             source->missing, &err);
    if (status == EXTFN_OK)
        return true;
    char where[PY_PLACE_SIZE];
    py_place place = source->place;
    place.row = row;
    py_place_write(&place, where);
    return py_raise_status(status, "%s: %s", where, err.message);
}

static bool read_views(const py_source *source, const struct ArrowArray *array)
{
    const uint8_t *validity = validity_of(array);
    for (int64_t row = 0; row < array->length; row++) {
        bool is_there = get_bit(validity, array->offset + row);
        if (!append_text(source, is_there, is_there ? text_at("vu", array, row) : (text){0}, row))
            return false;
    }
    return true;
}

/* The library's offsets have 64 bits. */
static bool read_small_texts(const py_source *source, const struct ArrowArray *array,
                             extfn_buffers *buffers)
{
    const int32_t *from = (const int32_t *)array->buffers[1] + array->offset;
    int64_t *offsets = calloc((size_t)array->length + 1, sizeof(*offsets));
    if (!offsets)
        return PyErr_NoMemory();
    for (int64_t row = 0; row <= array->length; row++)
        offsets[row] = from[row];
    buffers->values = offsets;
    bool is_done = py_append_buffers(source, buffers);
    free(offsets);
    return is_done;
}

static bool read_texts(const py_source *source, const char *format, const struct ArrowArray *array)
{
    if (source->type != EXTFN_TEXT)
        return py_raise_misfit(source, "string");
    if (array->length == 0)
        return true;
    if (format[0] == 'v')
        return read_views(source, array);
    extfn_buffers buffers = {.struct_size = sizeof(buffers),
                             .rows = array->length,
                             .bytes = array->buffers[2],
                             .validity = validity_of(array),
                             .validity_offset = array->offset,
                             .missing = source->missing};
    if (format[0] == 'u')
        return read_small_texts(source, array, &buffers);
    buffers.values = (const int64_t *)array->buffers[1] + array->offset;
    return py_append_buffers(source, &buffers);
}

/* ---- Texts that are told once: an index a row ---- */

/* False: not an index of the dictionary. */
static bool index_at(const char *format, const void *indices, int64_t row, int64_t count,
                     int64_t *ret_index)
{
    static const char letters[] = "cCsSiIlL";
    static const size_t widths[] = {1, 1, 2, 2, 4, 4, 8, 8};
    const char *letter = strchr(letters, format[0]);
    if (!letter || format[0] == '\0' || format[1] != '\0')
        return false;
    size_t width = widths[letter - letters];
    *ret_index = 0; /* bytes of a negative one make a large one, or a negative one of 8 bytes */
    memcpy(ret_index, (const char *)indices + (size_t)row * width, width);
    return *ret_index >= 0 && *ret_index < count;
}

static bool read_dictionary(const py_source *source, const struct ArrowSchema *schema,
                            const struct ArrowArray *array)
{
    const char *format = schema->dictionary->format;
    const struct ArrowArray *texts = array->dictionary;
    if (source->type != EXTFN_TEXT || !is_text(format))
        return py_raise_misfit(source, "dictionary");
    const uint8_t *validity = validity_of(array);
    for (int64_t row = 0; row < array->length; row++) {
        int64_t index = 0;
        bool is_there = get_bit(validity, array->offset + row);
        if (is_there && !index_at(schema->format, array->buffers[1], array->offset + row,
                                  texts->length, &index))
            return py_raise_misfit(source, "dictionary with an index out of range");
        is_there = is_there && get_bit(validity_of(texts), texts->offset + index);
        if (!append_text(source, is_there, is_there ? text_at(format, texts, index) : (text){0},
                         row))
            return false;
    }
    return true;
}

/* ---- Arrays ---- */

static bool read_nulls(const py_source *source, const struct ArrowArray *array)
{
    for (int64_t row = 0; row < array->length; row++) {
        extfn_error err = {0};
        if (extfn_column_append_error(source->column, EXTFN_KIND_MISSING_INPUT, source->missing,
                                      &err) != EXTFN_OK)
            return py_raise(&err, NULL, -1);
    }
    return true;
}

static bool raise_format(const py_source *source, const char *format)
{
    bool is_date = strncmp(format, "td", 2) == 0;
    char name[128];
    (void)snprintf(name, sizeof(name),
                   is_date ? "date (cast it to timestamp)" : "Arrow's format '%s'", format);
    return py_raise_misfit(source, name);
}

static bool read_array(const py_source *source, const struct ArrowSchema *schema,
                       const struct ArrowArray *array)
{
    const char *format = schema->format;
    if (schema->dictionary)
        return read_dictionary(source, schema, array);
    if (is_text(format))
        return read_texts(source, format, array);
    if (strcmp(format, "n") == 0)
        return read_nulls(source, array);
    size_t count = sizeof(fixed_formats) / sizeof(fixed_formats[0]);
    for (size_t i = 0; i < count; i++) {
        const char *known = fixed_formats[i].format;
        bool is_time = known[1] != '\0'; /* its zone follows: it says how it is shown */
        if (is_time ? strncmp(format, known, 4) == 0 : strcmp(format, known) == 0)
            return read_fixed(source, format, array, i);
    }
    return raise_format(source, format);
}

/* ---- Capsules: their producer frees what was not taken ---- */

bool py_read_arrow_array(const py_source *source, PyObject *given)
{
    PyObject *pair = PyObject_CallMethod(given, "__arrow_c_array__", NULL);
    PyObject *schema_capsule = NULL;
    PyObject *array_capsule = NULL;
    bool is_done = false;
    if (pair && PyArg_ParseTuple(pair, "OO", &schema_capsule, &array_capsule)) {
        const struct ArrowSchema *schema = PyCapsule_GetPointer(schema_capsule, "arrow_schema");
        const struct ArrowArray *array =
            schema ? PyCapsule_GetPointer(array_capsule, "arrow_array") : NULL;
        is_done = array && read_array(source, schema, array);
    }
    Py_XDECREF(pair);
    return is_done;
}

static bool raise_stream(struct ArrowArrayStream *stream)
{
    const char *reason = stream->get_last_error(stream);
    return PyErr_Format(PyExc_OSError, "Arrow's stream: %s", reason ? reason : "failed");
}

static bool read_chunks(const py_source *source, struct ArrowArrayStream *stream,
                        const struct ArrowSchema *schema)
{
    for (;;) {
        struct ArrowArray array = {0};
        if (stream->get_next(stream, &array) != 0)
            return raise_stream(stream);
        if (!array.release)
            return true;
        bool is_read = read_array(source, schema, &array);
        array.release(&array);
        if (!is_read)
            return false;
    }
}

bool py_read_arrow_stream(const py_source *source, PyObject *given)
{
    PyObject *capsule = PyObject_CallMethod(given, "__arrow_c_stream__", NULL);
    struct ArrowArrayStream *stream =
        capsule ? PyCapsule_GetPointer(capsule, "arrow_array_stream") : NULL;
    bool is_done = false;
    struct ArrowSchema schema = {0};
    if (stream && stream->get_schema(stream, &schema) != 0)
        (void)raise_stream(stream);
    if (schema.release) {
        is_done = read_chunks(source, stream, &schema);
        schema.release(&schema);
    }
    Py_XDECREF(capsule);
    return is_done;
}
