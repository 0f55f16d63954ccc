/* From a file's path and bytes to its function. SPDX-License-Identifier: MIT */
#include "registry/function_file.h"

#include "base/auto.h"
#include "registry/declaration.h"
#include "registry/file.h"
#include "registry/function.h"
#include "registry/module_file.h"
#include "wasm/binary.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct file_kind {
    const char *extension;
    extfn_language language;
    const char *leader;      /* begins a comment; NULL: a module */
    const char *body_prefix; /* stands before the file's text in the body */
} file_kind;

static const file_kind kinds[] = {
    {".py", EXTFN_PYTHON, "#", ""},  {".R", EXTFN_R, "#", ""},
    {".r", EXTFN_R, "#", ""},        {".jl", EXTFN_JULIA, "#", ""},
    {".pure", EXTFN_PURE, "//", ""}, {".wat", EXTFN_WASM, ";;", "wat:"},
    {".wasm", EXTFN_WASM, NULL, ""},
};

static const file_kind *find_kind(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *extension = strrchr(name, '.');
    if (!extension || extension == name)
        return NULL;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kinds[i].extension, extension) == 0)
            return &kinds[i];
    }
    return NULL;
}

static extfn_status fail_kind(const char *path, extfn_error *err)
{
    return xf_fail(
        err, EXTFN_EINVAL,
        "%s: not a function file; its name must end in .py, .R, .jl, .pure, .wat or .wasm", path);
}

bool xf_function_file_is_named(const char *path)
{
    return find_kind(path) != NULL;
}

static extfn_status make_function(const char *path, const file_kind *kind,
                                  const xf_declaration *declaration, const xf_buf *body,
                                  extfn_function **ret_function, extfn_error *err)
{
    extfn_function_options options = {
        .struct_size = sizeof(options),
        .name = declaration->name,
        .language = kind->language,
        .body = body->data,
        .body_size = body->size,
        .arg_types = declaration->arg_types,
        .arg_names = declaration->arg_names,
        .arg_count = declaration->arg_count,
        .return_type = declaration->return_type,
        .is_pure = !declaration->is_impure,
        .is_vectorized = declaration->is_vectorized,
        .source_path = path,
    };
    return extfn_function_new(&options, ret_function, err);
}

static extfn_status parse_text(const char *path, const file_kind *kind, const char *text,
                               size_t size, extfn_function **ret_function, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf body = {0};
    XF_TRY(xf_buf_append(&body, kind->body_prefix, strlen(kind->body_prefix), err));
    XF_TRY(xf_buf_append(&body, text, size, err));
    XF_AUTO(xf_declaration_clear) xf_declaration declaration = {0};
    int64_t line = 1;
    extfn_status status = xf_declaration_read(text, size, kind->leader, &declaration, &line, err);
    if (status == EXTFN_OK)
        status = make_function(path, kind, &declaration, &body, ret_function, err);
    if (status == EXTFN_EINVAL)
        return xf_fail_context(err, status, "%s:%lld", path, (long long)line);
    return status;
}

static extfn_status parse_module(const char *path, const char *bytes, size_t size,
                                 extfn_function **ret_function, extfn_error *err)
{
    extfn_status status = xf_module_file_parse(path, bytes, size, ret_function, err);
    return status == EXTFN_EINVAL ? xf_fail_context(err, status, "%s", path) : status;
}

extfn_status xf_function_file_parse(const char *path, const char *text, size_t size,
                                    extfn_function **ret_function, extfn_error *err)
{
    const file_kind *kind = find_kind(path);
    if (!kind)
        return fail_kind(path, err);
    return kind->leader ? parse_text(path, kind, text, size, ret_function, err)
                        : parse_module(path, text, size, ret_function, err);
}

extfn_status extfn_function_from_file(const char *path, extfn_function **ret_function,
                                      extfn_error *err)
{
    const file_kind *kind = find_kind(path);
    if (!kind && access(path, F_OK) != 0)
        return xf_fail_os(err, errno, path);
    if (!kind)
        return fail_kind(path, err);
    XF_AUTO(xf_buf_clear)
    xf_buf text = {.limit = kind->leader ? XF_BODY_LIMIT : XF_WASM_MODULE_LIMIT};
    XF_TRY(xf_file_read(path, &text, err));
    return xf_function_file_parse(path, text.data, text.size, ret_function, err);
}
