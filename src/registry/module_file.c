/* SPDX-License-Identifier: MIT */
#include "registry/module_file.h"

#include "base/auto.h"
#include "base/base64.h"
#include "base/text.h"
#include "registry/declaration.h"
#include "wasm/binary.h"

#include <string.h>

#define BODY_PREFIX "base64:"
#define DECLARATION_PREFIX ";; extfn: "

/* ---- What the module says of itself ---- */

/* The section holds what follows the mark in a file of text. */
static extfn_status read_section(const xf_wasm_summary *summary, xf_declaration *ret_declaration,
                                 extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf text = {0};
    int64_t line = 1;
    XF_TRY(xf_buf_append(&text, DECLARATION_PREFIX, strlen(DECLARATION_PREFIX), err));
    XF_TRY(xf_buf_append(&text, summary->declaration, summary->declaration_size, err));
    extfn_status status =
        xf_declaration_read(text.data, text.size, ";;", ret_declaration, &line, err);
    return status == EXTFN_EINVAL ? xf_fail_context(err, status, "custom section 'extfn'") : status;
}

/* The file's name without its folder and its extension. */
static char *copy_stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *stem = xf_strdup(slash ? slash + 1 : path);
    char *dot = stem ? strrchr(stem, '.') : NULL;
    if (dot)
        *dot = '\0';
    return stem;
}

static extfn_status fail_imports(const xf_wasm_summary *summary, extfn_error *err)
{
    char module[XF_QUOTE_SIZE];
    char field[XF_QUOTE_SIZE];
    (void)xf_text_quote(summary->import_module, summary->import_module_size, module);
    (void)xf_text_quote(summary->import_field, summary->import_field_size, field);
    return xf_fail(err, EXTFN_EINVAL, "the module imports %s of %s; no imports are given", field,
                   module);
}

static extfn_status check_numeric(const xf_wasm_summary *summary, extfn_error *err)
{
    char type[XF_WASM_TYPE_TEXT_SIZE];
    if (summary->import_count)
        return fail_imports(summary, err);
    if (summary->call.kind != XF_WASM_EXPORT_FUNCTION)
        return xf_fail(err, EXTFN_EINVAL, "the module exports no function 'improv_call'");
    if (xf_wasm_summary_is_numeric(summary))
        return EXTFN_OK;
    return xf_fail(err, EXTFN_EINVAL,
                   "'improv_call' is %s; unless it takes f64 only and gives one, a custom section "
                   "'extfn' has to declare it: NAME(ARGUMENT: TYPE, ...) -> TYPE",
                   xf_wasm_type_text(&summary->call.type, type));
}

static extfn_status read_numeric(const char *path, const xf_wasm_summary *summary,
                                 xf_declaration *ret_declaration, extfn_error *err)
{
    XF_TRY(check_numeric(summary, err));
    xf_declaration declaration = {.text = copy_stem(path),
                                  .arg_count = summary->call.type.param_count,
                                  .return_type = EXTFN_NUMBER};
    if (!declaration.text)
        return xf_fail_oom(err);
    declaration.name = declaration.text;
    for (size_t i = 0; i < declaration.arg_count; i++)
        declaration.arg_types[i] = EXTFN_NUMBER;
    *ret_declaration = declaration;
    return EXTFN_OK;
}

/* ---- The function ---- */

extfn_status xf_module_file_parse(const char *path, const void *bytes, size_t size,
                                  extfn_function **ret_function, extfn_error *err)
{
    xf_wasm_summary summary = {0};
    XF_TRY(xf_wasm_binary_read(bytes, size, &summary, err));
    XF_AUTO(xf_declaration_clear) xf_declaration declaration = {0};
    XF_TRY(summary.declaration ? read_section(&summary, &declaration, err)
                               : read_numeric(path, &summary, &declaration, err));
    XF_AUTO(xf_buf_clear) xf_buf body = {0};
    XF_TRY(xf_buf_append(&body, BODY_PREFIX, strlen(BODY_PREFIX), err));
    XF_TRY(xf_base64_write(bytes, size, &body, err));
    const extfn_function_options options = {
        .struct_size = sizeof(options),
        .name = declaration.name,
        .language = EXTFN_WASM,
        .body = body.data,
        .body_size = body.size,
        .arg_types = declaration.arg_types,
        .arg_names = summary.declaration ? declaration.arg_names : NULL,
        .arg_count = declaration.arg_count,
        .return_type = declaration.return_type,
        .is_pure = !declaration.is_impure,
        .is_vectorized = declaration.is_vectorized,
        .source_path = path,
    };
    return extfn_function_new(&options, ret_function, err);
}
