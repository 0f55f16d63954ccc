/* Descriptors as JSON. SPDX-License-Identifier: MIT */
#include "base/auto.h"
#include "base/json.h"
#include "registry/function.h"
#include "registry/members.h"
#include "registry/words.h"

#include <string.h>

enum {
    NAME,
    LANGUAGE,
    BODY,
    ARG_TYPES,
    RETURN_TYPE,
    PURE,
    ARG_NAMES,
    VECTORIZED,
    MEMBER_COUNT,
};

static const xf_member members[MEMBER_COUNT] = {
    [NAME] = {"name", XF_JSON_STRING, XF_MEMBER_REQUIRED},
    [LANGUAGE] = {"language", XF_JSON_STRING, XF_MEMBER_REQUIRED},
    [BODY] = {"body", XF_JSON_STRING, XF_MEMBER_REQUIRED},
    [ARG_TYPES] = {"arg_types", XF_JSON_ARRAY, XF_MEMBER_REQUIRED},
    [RETURN_TYPE] = {"return_type", XF_JSON_STRING, XF_MEMBER_REQUIRED},
    [PURE] = {"pure", XF_JSON_BOOLEAN, XF_MEMBER_REQUIRED},
    [ARG_NAMES] = {"arg_names", XF_JSON_ARRAY, 0},
    [VECTORIZED] = {"vectorized", XF_JSON_BOOLEAN, 0},
};

/* What the options point into. */
typedef struct parts {
    xf_buf name;
    xf_buf body;
    xf_buf word;
    extfn_type arg_types[EXTFN_ARGUMENT_LIMIT];
    size_t arg_count;
    char *arg_names[EXTFN_ARGUMENT_LIMIT];
} parts;

static void parts_clear(parts *p)
{
    xf_buf_clear(&p->name);
    xf_buf_clear(&p->body);
    xf_buf_clear(&p->word);
    for (size_t i = 0; i < EXTFN_ARGUMENT_LIMIT; i++)
        xf_free(p->arg_names[i]);
}

/* A string that ends up NUL-terminated: U+0000 within is refused. */
static extfn_status read_name(xf_json *scan, xf_buf *name, extfn_error *err)
{
    XF_TRY(xf_json_read_string(scan, name, err));
    if (name->size && memchr(name->data, '\0', name->size))
        return xf_fail(err, EXTFN_EINVAL, "a name cannot hold U+0000");
    return xf_buf_append(name, "", 1, err);
}

static extfn_status read_type(xf_json *scan, xf_buf *word, extfn_type *ret_type, extfn_error *err)
{
    XF_TRY(xf_json_read_string(scan, word, err));
    return xf_type_read_text(word->data, word->size, ret_type, err);
}

typedef extfn_status read_element_fn(xf_json *scan, parts *p, size_t position, extfn_error *err);

static extfn_status read_arg_type(xf_json *scan, parts *p, size_t position, extfn_error *err)
{
    return read_type(scan, &p->word, &p->arg_types[position], err);
}

static extfn_status read_arg_name(xf_json *scan, parts *p, size_t position, extfn_error *err)
{
    XF_TRY(read_name(scan, &p->word, err));
    p->arg_names[position] = xf_strdup(p->word.data);
    return p->arg_names[position] ? EXTFN_OK : xf_fail_oom(err);
}

static extfn_status read_strings(const xf_slice *slice, parts *p, read_element_fn *read_element,
                                 size_t *ret_count, extfn_error *err)
{
    xf_json scan = xf_slice_scan(slice);
    XF_TRY(xf_json_enter_array(&scan, err));
    for (size_t count = 0;; count++) {
        bool has;
        XF_TRY(xf_json_next_element(&scan, &has, err));
        if (!has) {
            *ret_count = count;
            return EXTFN_OK;
        }
        if (count == EXTFN_ARGUMENT_LIMIT)
            return xf_fail(err, EXTFN_EINVAL, "more than %d elements", EXTFN_ARGUMENT_LIMIT);
        xf_json_kind kind;
        XF_TRY(xf_json_peek(&scan, &kind, err));
        if (kind != XF_JSON_STRING)
            return xf_fail(err, EXTFN_EINVAL, "expected strings, got %s", xf_json_kind_text(kind));
        XF_TRY(read_element(&scan, p, count, err));
    }
}

static extfn_status read_arg_types(const xf_slice *slice, parts *p, extfn_function_options *options,
                                   extfn_error *err)
{
    options->arg_types = p->arg_types;
    return read_strings(slice, p, read_arg_type, &options->arg_count, err);
}

/* Comes after the types, whose count it must have. */
static extfn_status read_arg_names(const xf_slice *slice, parts *p, extfn_function_options *options,
                                   extfn_error *err)
{
    size_t count = 0;
    XF_TRY(read_strings(slice, p, read_arg_name, &count, err));
    if (count != options->arg_count)
        return xf_fail(err, EXTFN_EINVAL, "expected %zu names, got %zu", options->arg_count, count);
    options->arg_names = (const char *const *)p->arg_names;
    return EXTFN_OK;
}

static extfn_status read_function_name(const xf_slice *slice, parts *p,
                                       extfn_function_options *options, extfn_error *err)
{
    xf_json scan = xf_slice_scan(slice);
    XF_TRY(read_name(&scan, &p->name, err));
    options->name = p->name.data;
    return EXTFN_OK;
}

static extfn_status read_language(const xf_slice *slice, parts *p, extfn_function_options *options,
                                  extfn_error *err)
{
    xf_json scan = xf_slice_scan(slice);
    XF_TRY(xf_json_read_string(&scan, &p->word, err));
    return xf_language_read_text(p->word.data, p->word.size, &options->language, err);
}

static extfn_status read_body(const xf_slice *slice, parts *p, extfn_function_options *options,
                              extfn_error *err)
{
    xf_json scan = xf_slice_scan(slice);
    XF_TRY(xf_json_read_string(&scan, &p->body, err));
    options->body_size = p->body.size;
    XF_TRY(xf_buf_append(&p->body, "", 1, err));
    options->body = p->body.data;
    return EXTFN_OK;
}

static extfn_status read_return_type(const xf_slice *slice, parts *p,
                                     extfn_function_options *options, extfn_error *err)
{
    xf_json scan = xf_slice_scan(slice);
    return read_type(&scan, &p->word, &options->return_type, err);
}

static extfn_status read_pure(const xf_slice *slice, parts *p, extfn_function_options *options,
                              extfn_error *err)
{
    (void)p;
    return xf_slice_boolean(slice, &options->is_pure, err);
}

static extfn_status read_vectorized(const xf_slice *slice, parts *p,
                                    extfn_function_options *options, extfn_error *err)
{
    (void)p;
    XF_TRY(xf_slice_boolean(slice, &options->is_vectorized, err));
    if (options->is_vectorized && !options->is_pure)
        return xf_fail(err, EXTFN_EINVAL, "a vectorized function is pure");
    return EXTFN_OK;
}

typedef extfn_status read_member_fn(const xf_slice *slice, parts *p,
                                    extfn_function_options *options, extfn_error *err);

static read_member_fn *const readers[MEMBER_COUNT] = {
    [NAME] = read_function_name,  [LANGUAGE] = read_language,       [BODY] = read_body,
    [ARG_TYPES] = read_arg_types, [RETURN_TYPE] = read_return_type, [PURE] = read_pure,
    [ARG_NAMES] = read_arg_names, [VECTORIZED] = read_vectorized,
};

extfn_status xf_function_read_json(xf_json *scan, extfn_function **ret_function, extfn_error *err)
{
    xf_slice slices[MEMBER_COUNT];
    XF_TRY(xf_members_read(scan, members, MEMBER_COUNT, slices, err));
    XF_AUTO(parts_clear) parts p = {.body = {.limit = XF_BODY_LIMIT + 1}};
    extfn_function_options options = {.struct_size = sizeof(options)};
    for (size_t i = 0; i < MEMBER_COUNT; i++) {
        if (!slices[i].data)
            continue;
        extfn_status status = readers[i](&slices[i], &p, &options, err);
        if (status != EXTFN_OK)
            return xf_fail_context(err, status, "member '%s'", members[i].name);
    }
    return extfn_function_new(&options, ret_function, err);
}

extfn_status extfn_function_from_json(const char *json, size_t size, extfn_function **ret_function,
                                      extfn_error *err)
{
    xf_json scan = {.data = json, .size = size};
    extfn_function *function = NULL;
    XF_TRY(xf_function_read_json(&scan, &function, err));
    extfn_status status = xf_json_end(&scan, err);
    if (status != EXTFN_OK) {
        extfn_function_unref(function);
        return status;
    }
    *ret_function = function;
    return EXTFN_OK;
}

static extfn_status write_text(xf_buf *out, const char *prefix, const char *text, extfn_error *err)
{
    XF_TRY(xf_json_write_raw(out, prefix, err));
    return xf_json_write_string(out, text, strlen(text), err);
}

static extfn_status write_arg_types(xf_buf *out, const extfn_function *function, extfn_error *err)
{
    XF_TRY(xf_json_write_raw(out, ",\"arg_types\":[", err));
    for (size_t i = 0; i < function->arity; i++)
        XF_TRY(write_text(out, i ? "," : "", extfn_type_text(function->arg_types[i]), err));
    return xf_json_write_raw(out, "]", err);
}

static extfn_status write_arg_names(xf_buf *out, const extfn_function *function, extfn_error *err)
{
    if (!function->arg_names)
        return EXTFN_OK;
    XF_TRY(xf_json_write_raw(out, ",\"arg_names\":[", err));
    for (size_t i = 0; i < function->arity; i++)
        XF_TRY(write_text(out, i ? "," : "", function->arg_names[i], err));
    return xf_json_write_raw(out, "]", err);
}

static extfn_status write_function(xf_buf *out, const extfn_function *function, extfn_error *err)
{
    XF_TRY(write_text(out, "{\"name\":", function->name, err));
    XF_TRY(write_text(out, ",\"language\":", extfn_language_text(function->language), err));
    XF_TRY(xf_json_write_raw(out, ",\"body\":", err));
    XF_TRY(xf_json_write_string(out, function->body, function->body_size, err));
    XF_TRY(write_arg_types(out, function, err));
    XF_TRY(write_text(out, ",\"return_type\":", extfn_type_text(function->return_type), err));
    XF_TRY(xf_json_write_raw(out, function->is_pure ? ",\"pure\":true" : ",\"pure\":false", err));
    XF_TRY(write_arg_names(out, function, err));
    return xf_json_write_raw(out, function->is_vectorized ? ",\"vectorized\":true}" : "}", err);
}

extfn_status extfn_function_to_json(const extfn_function *function, char **ret_json,
                                    extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf out = {0};
    XF_TRY(write_function(&out, function, err));
    XF_TRY(xf_buf_append(&out, "", 1, err));
    *ret_json = XF_STEAL(out.data);
    return EXTFN_OK;
}
