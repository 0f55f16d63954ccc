/* A function descriptor: immutable, shared by reference count. SPDX-License-Identifier: MIT */
#ifndef EXTFN_FUNCTION_H
#define EXTFN_FUNCTION_H

#include <extfn/value.h>

EXTFN_BEGIN

/* X(name, code, text) */
#define EXTFN_LANGUAGE_MAP(X)                                                                      \
    X(PYTHON, 0, "Python")                                                                         \
    X(R, 1, "R")                                                                                   \
    X(JULIA, 2, "Julia")                                                                           \
    X(PURE, 3, "Pure")                                                                             \
    X(WASM, 4, "Wasm")

typedef enum extfn_language {
#define X(name, code, text) EXTFN_##name = (code),
    EXTFN_LANGUAGE_MAP(X)
#undef X
} extfn_language;

#define EXTFN_LANGUAGE_COUNT 5

/* A static string such as "Python"; never NULL. */
EXTFN_API const char *extfn_language_text(extfn_language language);

/* Reads the descriptor's word or its lower case ("Python", "python", "r"). */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_language_parse(const char *text,
                                                             extfn_language *ret_language,
                                                             extfn_error *err);

/* More arguments than this are refused. */
#define EXTFN_ARGUMENT_LIMIT 64

typedef struct extfn_function extfn_function;

typedef struct extfn_function_options {
    size_t struct_size; /* sizeof(extfn_function_options) */
    const char *name;
    extfn_language language;
    const char *body;
    size_t body_size; /* bytes; 0 with a body: up to its NUL */
    const extfn_type *arg_types;
    const char *const *arg_names; /* arg_count of them, or NULL */
    size_t arg_count;
    extfn_type return_type;
    bool is_pure; /* the result depends on the arguments alone: warm workers serve it (function
                     files: unless `impure`). Otherwise each call, a batch is one, has a process of
                     its own. Random generators start every row from the same seed either way */
    bool is_vectorized;      /* implies is_pure */
    const char *source_path; /* of the function file, for messages; or NULL */
} extfn_function_options;

/* Copies everything. EXTFN_EINVAL: a name that is empty, no UTF-8 or over 255 bytes, a body over
 * 16 MiB, a type that no function may have, a name of an argument that is no identifier, that the
 * language reserves, or that stands twice. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_function_new(const extfn_function_options *options,
                                                           EXTFN_OWN extfn_function **ret_function,
                                                           extfn_error *err);

/* Threads may share a function; each holds its own reference. */
EXTFN_API extfn_function *extfn_function_ref(extfn_function *function);
EXTFN_API void extfn_function_unref(extfn_function *function);

/* A descriptor as JSON, read and written; unknown members are refused:
 * {"name":"add","language":"Python","body":"result = x + y","arg_types":["Number","Number"],
 *  "return_type":"Number","pure":true}, and optionally "arg_names":["x","y"], "vectorized":true. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_function_from_json(
    const char *json, size_t size, EXTFN_OWN extfn_function **ret_function, extfn_error *err);
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_function_to_json(const extfn_function *function,
                                                               EXTFN_OWN char **ret_json,
                                                               extfn_error *err);

/* Reads one function file: its extension gives the language, its first comment that starts with
 * `extfn:` the signature, `# extfn: hypot(x: number, y: number) -> number`. A .wasm module has the
 * signature in a custom section named `extfn`; without one it has the file's name, and takes and
 * gives numbers. A file has one function: further such comments mean nothing. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_function_from_file(
    const char *path, EXTFN_OWN extfn_function **ret_function, extfn_error *err);

/* What stands in it; texts are valid as long as the function. arg_name and source_path may be NULL.
 */
EXTFN_API const char *extfn_function_name(const extfn_function *function);
EXTFN_API extfn_language extfn_function_language(const extfn_function *function);
EXTFN_API const char *extfn_function_body(const extfn_function *function, size_t *ret_size);
EXTFN_API size_t extfn_function_arity(const extfn_function *function);
EXTFN_API extfn_type extfn_function_arg_type(const extfn_function *function, size_t position);
EXTFN_API const char *extfn_function_arg_name(const extfn_function *function, size_t position);
EXTFN_API extfn_type extfn_function_return_type(const extfn_function *function);
EXTFN_API bool extfn_function_is_pure(const extfn_function *function);
EXTFN_API bool extfn_function_is_vectorized(const extfn_function *function);
EXTFN_API const char *extfn_function_source_path(const extfn_function *function);

/* `hypot(x: number, y: number) -> number`, as a function file declares it; freed by
 * extfn_text_free. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_function_signature(const extfn_function *function,
                                                                 EXTFN_OWN char **ret_text,
                                                                 extfn_error *err);

EXTFN_END

#endif
