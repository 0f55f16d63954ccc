/* A descriptor's life: checked once when it is made, never changed. SPDX-License-Identifier: MIT */
#include "registry/function.h"

#include "base/auto.h"
#include "base/text.h"
#include "registry/identifier.h"

#include <string.h>

static size_t body_size_of(const extfn_function_options *options)
{
    return options->body_size ? options->body_size : strlen(options->body);
}

static extfn_status check_name(const char *name, extfn_error *err)
{
    if (!name || !*name)
        return xf_fail(err, EXTFN_EINVAL, "a function needs a name");
    if (strlen(name) > XF_NAME_LIMIT) {
        return xf_fail(err, EXTFN_EINVAL, "the name of a function is longer than %d bytes",
                       XF_NAME_LIMIT);
    }
    if (!xf_utf8_is_valid(name, strlen(name)))
        return xf_fail(err, EXTFN_EINVAL, "the name of a function is not UTF-8");
    return EXTFN_OK;
}

static extfn_status check_body(const extfn_function_options *options, extfn_error *err)
{
    if (!options->body)
        return xf_fail(err, EXTFN_EINVAL, "a function needs a body");
    if (body_size_of(options) > XF_BODY_LIMIT) {
        return xf_fail(err, EXTFN_EINVAL, "the body is over the limit of %u MiB",
                       XF_BODY_LIMIT >> 20);
    }
    return EXTFN_OK;
}

static extfn_status check_type(extfn_type type, const char *what, extfn_error *err)
{
    if (type >= EXTFN_NUMBER && type <= EXTFN_ENUM)
        return EXTFN_OK;
    return xf_fail(err, EXTFN_EINVAL, "type %d is none that %s may have", (int)type, what);
}

static extfn_status check_arguments(const extfn_function_options *options, extfn_error *err)
{
    if (options->arg_count > EXTFN_ARGUMENT_LIMIT) {
        return xf_fail(err, EXTFN_EINVAL, "%zu arguments are over the limit of %d",
                       options->arg_count, EXTFN_ARGUMENT_LIMIT);
    }
    if (options->arg_count && !options->arg_types)
        return xf_fail(err, EXTFN_EINVAL, "the arguments have no types");
    for (size_t i = 0; i < options->arg_count; i++) {
        XF_TRY(check_type(options->arg_types[i], "an argument", err));
        if (!options->arg_names)
            continue;
        const char *name = options->arg_names[i];
        if (!name)
            return xf_fail(err, EXTFN_EINVAL, "argument %zu has no name", i);
        XF_TRY(xf_argument_name_check(options->language, name, err));
        for (size_t k = 0; k < i; k++) {
            if (strcmp(options->arg_names[k], name) == 0)
                return xf_fail(err, EXTFN_EINVAL, "two arguments have the name '%s'", name);
        }
    }
    return EXTFN_OK;
}

static extfn_status check_options(const extfn_function_options *options, extfn_error *err)
{
    if (!options || options->struct_size < sizeof(*options))
        return xf_fail(err, EXTFN_EINVAL, "the options of a function are of an unknown size");
    XF_TRY(check_name(options->name, err));
    if ((unsigned)options->language >= EXTFN_LANGUAGE_COUNT)
        return xf_fail(err, EXTFN_EINVAL, "language %d is unknown", (int)options->language);
    XF_TRY(check_body(options, err));
    XF_TRY(check_arguments(options, err));
    return check_type(options->return_type, "a result", err);
}

/* FNV-1a, 64 bits. */
static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    for (int i = 0; i < 8; i++) {
        unsigned char byte = (unsigned char)(number >> (8 * i));
        hash = hash_bytes(hash, &byte, 1);
    }
    return hash;
}

/* With its NUL, so that neighbours cannot trade bytes. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_bytes(hash, text, strlen(text) + 1);
}

static uint64_t hash_of(const extfn_function *function)
{
    const uint64_t numbers[] = {
        (uint64_t)function->language,
        function->body_size,
        function->arity,
        (uint64_t)function->return_type,
        (uint64_t)function->is_pure,
        (uint64_t)function->is_vectorized,
        (uint64_t)(!!function->arg_names),
    };
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        hash = hash_number(hash, numbers[i]);
    hash = hash_text(hash, function->name);
    hash = hash_bytes(hash, function->body, function->body_size);
    for (size_t i = 0; i < function->arity; i++)
        hash = hash_number(hash, (uint64_t)function->arg_types[i]);
    for (size_t i = 0; function->arg_names && i < function->arity; i++)
        hash = hash_text(hash, function->arg_names[i]);
    return hash;
}

/* NULL when there is no memory; a NUL follows the bytes. */
static void *copy_bytes(const void *data, size_t size)
{
    char *copy = xf_alloc(size + 1);
    if (copy && size)
        memcpy(copy, data, size);
    return copy;
}

static extfn_status copy_names(extfn_function *function, const char *const *names, extfn_error *err)
{
    if (!names)
        return EXTFN_OK;
    function->arg_names = xf_alloc(function->arity * sizeof(char *));
    if (!function->arg_names)
        return xf_fail_oom(err);
    for (size_t i = 0; i < function->arity; i++) {
        function->arg_names[i] = xf_strdup(names[i]);
        if (!function->arg_names[i])
            return xf_fail_oom(err);
    }
    return EXTFN_OK;
}

static extfn_status copy_options(extfn_function *function, const extfn_function_options *options,
                                 extfn_error *err)
{
    function->language = options->language;
    function->body_size = body_size_of(options);
    function->arity = options->arg_count;
    function->return_type = options->return_type;
    function->is_pure = options->is_pure || options->is_vectorized;
    function->is_vectorized = options->is_vectorized;
    function->name = xf_strdup(options->name);
    function->body = copy_bytes(options->body, function->body_size);
    function->arg_types = copy_bytes(options->arg_types, function->arity * sizeof(extfn_type));
    if (!function->name || !function->body || !function->arg_types)
        return xf_fail_oom(err);
    if (options->source_path) {
        function->source_path = xf_strdup(options->source_path);
        if (!function->source_path)
            return xf_fail_oom(err);
    }
    return copy_names(function, options->arg_names, err);
}

extfn_status extfn_function_new(const extfn_function_options *options,
                                extfn_function **ret_function, extfn_error *err)
{
    XF_TRY(check_options(options, err));
    extfn_function *function = xf_alloc(sizeof(*function));
    if (!function)
        return xf_fail_oom(err);
    atomic_init(&function->refs, 1);
    extfn_status status = copy_options(function, options, err);
    if (status != EXTFN_OK) {
        extfn_function_unref(function);
        return status;
    }
    function->hash = hash_of(function);
    *ret_function = function;
    return EXTFN_OK;
}

extfn_function *extfn_function_ref(extfn_function *function)
{
    (void)atomic_fetch_add_explicit(&function->refs, 1, memory_order_relaxed);
    return function;
}

void extfn_function_unref(extfn_function *function)
{
    if (!function || atomic_fetch_sub_explicit(&function->refs, 1, memory_order_acq_rel) != 1)
        return;
    for (size_t i = 0; function->arg_names && i < function->arity; i++)
        xf_free(function->arg_names[i]);
    xf_free(function->arg_names);
    xf_free(function->arg_types);
    xf_free(function->name);
    xf_free(function->body);
    xf_free(function->source_path);
    xf_free(function);
}

static bool has_equal_names(const extfn_function *a, const extfn_function *b)
{
    if (!a->arg_names || !b->arg_names)
        return !a->arg_names && !b->arg_names;
    for (size_t i = 0; i < a->arity; i++) {
        if (strcmp(a->arg_names[i], b->arg_names[i]) != 0)
            return false;
    }
    return true;
}

bool xf_function_is_equal(const extfn_function *a, const extfn_function *b)
{
    return a == b ||
           (a->hash == b->hash && a->language == b->language && a->arity == b->arity &&
            a->return_type == b->return_type && a->is_pure == b->is_pure &&
            a->is_vectorized == b->is_vectorized && a->body_size == b->body_size &&
            strcmp(a->name, b->name) == 0 && memcmp(a->body, b->body, a->body_size) == 0 &&
            memcmp(a->arg_types, b->arg_types, a->arity * sizeof(a->arg_types[0])) == 0 &&
            has_equal_names(a, b));
}
