/* Reading args and columns, and telling a wrong type from a malformed value.
 * SPDX-License-Identifier: MIT */
#include "rpc/arguments.h"

#include "base/auto.h"
#include "registry/function.h"
#include "value/json.h"

#include <stdio.h>
#include <string.h>

/* The JSON that plainly holds a type, beside the marked objects. */
static const xf_json_kind plain_kinds[] = {
    [EXTFN_NUMBER] = XF_JSON_NUMBER, [EXTFN_BOOLEAN] = XF_JSON_BOOLEAN,
    [EXTFN_TEXT] = XF_JSON_STRING,   [EXTFN_DATETIME] = XF_JSON_STRING,
    [EXTFN_ENUM] = XF_JSON_NUMBER,
};

/* What plain JSON is, as a mismatch tells it. */
static const char *const plain_texts[] = {
    [XF_JSON_NULL] = "null",   [XF_JSON_BOOLEAN] = "Boolean", [XF_JSON_NUMBER] = "Number",
    [XF_JSON_STRING] = "Text", [XF_JSON_ARRAY] = "array",
};

static extfn_status count_elements(const xf_slice *slice, size_t *ret_count, extfn_error *err)
{
    xf_json scan = xf_slice_scan(slice);
    size_t count = 0;
    XF_TRY(xf_json_enter_array(&scan, err));
    for (;;) {
        const char *start;
        size_t size;
        bool has;
        XF_TRY(xf_json_next_element(&scan, &has, err));
        if (!has)
            break;
        XF_TRY(xf_json_skip(&scan, &start, &size, err));
        count++;
    }
    *ret_count = count;
    return EXTFN_OK;
}

/* Whether the object at the reader says that it is one of our values. */
static extfn_status find_mark(xf_json scan, bool *ret_is_marked, extfn_error *err)
{
    static const char mark[] = "__improv__";
    XF_AUTO(xf_buf_clear) xf_buf name = {0};
    bool is_marked = false;
    XF_TRY(xf_json_enter_object(&scan, err));
    for (;;) {
        const char *start;
        size_t size;
        bool has;
        XF_TRY(xf_json_next_member(&scan, &name, &has, err));
        if (!has)
            break;
        if (name.size == strlen(mark) && memcmp(name.data, mark, name.size) == 0)
            is_marked = true;
        XF_TRY(xf_json_skip(&scan, &start, &size, err));
    }
    *ret_is_marked = is_marked;
    return EXTFN_OK;
}

/* What the object at the reader is, or NULL when it is a malformed value. */
static extfn_status tell_object(xf_json scan, const char **ret_text, extfn_error *err)
{
    XF_AUTO(extfn_value_clear) extfn_value value = {0};
    xf_json copy = scan;
    bool is_marked = false;
    extfn_status status = xf_value_read_json(&copy, EXTFN_NONE, &value, NULL);
    if (status == EXTFN_ENOMEM)
        return xf_fail_oom(err);
    if (status != EXTFN_OK)
        XF_TRY(find_mark(scan, &is_marked, err));
    if (status == EXTFN_OK) {
        *ret_text = extfn_type_text(value.type);
    } else {
        *ret_text = is_marked ? NULL : "object";
    }
    return EXTFN_OK;
}

/* Why the value at the reader could not be read as the argument; err holds what its reader said. */
static extfn_status explain(xf_json scan, const extfn_function *function, size_t position,
                            extfn_error *err)
{
    extfn_type type = function->arg_types[position];
    const char *got = NULL;
    xf_json_kind kind;
    XF_TRY(xf_json_peek(&scan, &kind, NULL));
    if (kind == XF_JSON_OBJECT && tell_object(scan, &got, NULL) != EXTFN_OK)
        return xf_fail_oom(err);
    if (kind != XF_JSON_OBJECT && kind != plain_kinds[type])
        got = plain_texts[kind];
    if (got && strcmp(got, extfn_type_text(type)) != 0)
        return xf_function_fail_type(function, position, got, err);
    return xf_fail_context(err, EXTFN_EINVAL, "function %s: argument %zu", function->name,
                           position);
}

static extfn_status check_count(const xf_slice *slice, const extfn_function *function,
                                extfn_error *err)
{
    size_t count = 0;
    XF_TRY(count_elements(slice, &count, err));
    return count == function->arity ? EXTFN_OK : xf_function_fail_arity(function, count, err);
}

extfn_status xf_arguments_read(const xf_slice *slice, const extfn_function *function,
                               extfn_value values[EXTFN_ARGUMENT_LIMIT], extfn_error *err)
{
    XF_TRY(check_count(slice, function, err));
    xf_json scan = xf_slice_scan(slice);
    bool has = false;
    XF_TRY(xf_json_enter_array(&scan, err));
    for (size_t i = 0; i < function->arity; i++) {
        XF_TRY(xf_json_next_element(&scan, &has, err));
        xf_json start = scan;
        extfn_status status = xf_value_read_json(&scan, function->arg_types[i], &values[i], err);
        if (status == EXTFN_EINVAL)
            return explain(start, function, i, err);
        XF_TRY(status);
    }
    return EXTFN_OK;
}

/* Whether a cell of a column may hold the JSON at the reader. */
static extfn_status try_cell(xf_json scan, extfn_type type, bool *ret_is_readable, extfn_error *err)
{
    XF_AUTO(extfn_value_clear) extfn_value value = {0};
    xf_json_kind kind;
    XF_TRY(xf_json_peek(&scan, &kind, err));
    extfn_status status =
        kind == XF_JSON_NULL ? EXTFN_OK : xf_value_read_json(&scan, type, &value, NULL);
    if (status == EXTFN_ENOMEM)
        return xf_fail_oom(err);
    *ret_is_readable = status == EXTFN_OK;
    return EXTFN_OK;
}

/* explain() for the first cell of a column that could not be read. */
static extfn_status explain_column(xf_json scan, const extfn_function *function, size_t position,
                                   extfn_error *err)
{
    xf_json_kind kind;
    XF_TRY(xf_json_peek(&scan, &kind, NULL));
    if (kind != XF_JSON_ARRAY) {
        return xf_fail(err, EXTFN_EINVAL, "member 'columns': expected arrays, got %s",
                       xf_json_kind_text(kind));
    }
    XF_TRY(xf_json_enter_array(&scan, NULL));
    for (;;) {
        const char *text;
        size_t size;
        bool has = false;
        bool is_readable = false;
        XF_TRY(xf_json_next_element(&scan, &has, NULL));
        if (!has) {
            return xf_fail_context(err, EXTFN_EINVAL, "function %s: argument %zu", function->name,
                                   position);
        }
        XF_TRY(try_cell(scan, function->arg_types[position], &is_readable, err));
        if (!is_readable)
            return explain(scan, function, position, err);
        XF_TRY(xf_json_skip(&scan, &text, &size, NULL));
    }
}

static extfn_status read_column(xf_json *scan, const extfn_function *function, size_t position,
                                extfn_column **ret_column, extfn_error *err)
{
    char nameless[32];
    (void)snprintf(nameless, sizeof(nameless), "argument %zu", position);
    const char *name = function->arg_names ? function->arg_names[position] : nameless;
    return xf_column_read_json(scan, function->arg_types[position], name, ret_column, err);
}

extfn_status xf_columns_read(const xf_slice *slice, const extfn_function *function,
                             extfn_column *columns[EXTFN_ARGUMENT_LIMIT], extfn_error *err)
{
    XF_TRY(check_count(slice, function, err));
    xf_json scan = xf_slice_scan(slice);
    bool has = false;
    XF_TRY(xf_json_enter_array(&scan, err));
    for (size_t i = 0; i < function->arity; i++) {
        XF_TRY(xf_json_next_element(&scan, &has, err));
        xf_json start = scan;
        extfn_status status = read_column(&scan, function, i, &columns[i], err);
        if (status == EXTFN_EINVAL)
            return explain_column(start, function, i, err);
        XF_TRY(status);
        if (extfn_column_rows(columns[i]) != extfn_column_rows(columns[0])) {
            return xf_fail(err, EXTFN_EINVAL,
                           "function %s: argument %zu has %lld rows, argument 0 has %lld",
                           function->name, i, (long long)extfn_column_rows(columns[i]),
                           (long long)extfn_column_rows(columns[0]));
        }
    }
    return EXTFN_OK;
}
