/* What a descriptor says: its parts, its signature, its words. SPDX-License-Identifier: MIT */
#include "base/auto.h"
#include "base/buf.h"
#include "registry/function.h"
#include "registry/words.h"

#include <string.h>

const char *extfn_function_name(const extfn_function *function)
{
    return function->name;
}

extfn_language extfn_function_language(const extfn_function *function)
{
    return function->language;
}

const char *extfn_function_body(const extfn_function *function, size_t *ret_size)
{
    if (ret_size)
        *ret_size = function->body_size;
    return function->body;
}

size_t extfn_function_arity(const extfn_function *function)
{
    return function->arity;
}

extfn_type extfn_function_arg_type(const extfn_function *function, size_t position)
{
    return position < function->arity ? function->arg_types[position] : EXTFN_NONE;
}

const char *extfn_function_arg_name(const extfn_function *function, size_t position)
{
    return function->arg_names && position < function->arity ? function->arg_names[position] : NULL;
}

extfn_type extfn_function_return_type(const extfn_function *function)
{
    return function->return_type;
}

bool extfn_function_is_pure(const extfn_function *function)
{
    return function->is_pure;
}

bool extfn_function_is_vectorized(const extfn_function *function)
{
    return function->is_vectorized;
}

const char *extfn_function_source_path(const extfn_function *function)
{
    return function->source_path;
}

extfn_status xf_function_fail_arity(const extfn_function *function, size_t got, extfn_error *err)
{
    return xf_fail(err, EXTFN_EARITY, "function %s: expected %zu argument(s), got %zu",
                   function->name, function->arity, got);
}

extfn_status xf_function_fail_type(const extfn_function *function, size_t position, const char *got,
                                   extfn_error *err)
{
    return xf_fail(err, EXTFN_ETYPE, "function %s: argument %zu type mismatch, expected %s, got %s",
                   function->name, position, extfn_type_text(function->arg_types[position]), got);
}

static extfn_status add(xf_buf *out, const char *text, extfn_error *err)
{
    return xf_buf_append(out, text, strlen(text), err);
}

static extfn_status add_argument(xf_buf *out, const extfn_function *function, size_t position,
                                 extfn_error *err)
{
    if (position > 0)
        XF_TRY(add(out, ", ", err));
    if (function->arg_names) {
        XF_TRY(add(out, function->arg_names[position], err));
        XF_TRY(add(out, ": ", err));
    }
    return add(out, xf_type_word(function->arg_types[position]), err);
}

static extfn_status add_flags(xf_buf *out, const extfn_function *function, extfn_error *err)
{
    if (!function->is_pure)
        XF_TRY(add(out, " impure", err));
    return function->is_vectorized ? add(out, " vectorized", err) : EXTFN_OK;
}

extfn_status extfn_function_signature(const extfn_function *function, char **ret_text,
                                      extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf out = {0};
    XF_TRY(add(&out, function->name, err));
    XF_TRY(add(&out, "(", err));
    for (size_t i = 0; i < function->arity; i++)
        XF_TRY(add_argument(&out, function, i, err));
    XF_TRY(add(&out, ") -> ", err));
    XF_TRY(add(&out, xf_type_word(function->return_type), err));
    XF_TRY(add_flags(&out, function, err));
    XF_TRY(xf_buf_append(&out, "", 1, err));
    *ret_text = XF_STEAL(out.data);
    return EXTFN_OK;
}
