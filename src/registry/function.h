/* Inside of a function descriptor. SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_FUNCTION_H
#define XF_REGISTRY_FUNCTION_H

#include "base/json.h"

#include <extfn/function.h>

#include <stdatomic.h>

/* Bytes of a function's name and of an argument's. */
#define XF_NAME_LIMIT 255

/* Bytes of a body, and of a function file. */
#define XF_BODY_LIMIT (16U << 20)

struct extfn_function {
    atomic_int refs;
    char *name;
    extfn_language language;
    char *body; /* NUL-terminated beyond body_size */
    size_t body_size;
    extfn_type *arg_types;
    char **arg_names; /* arity of them, or NULL */
    size_t arity;
    extfn_type return_type;
    bool is_pure;
    bool is_vectorized;
    char *source_path; /* or NULL */
    uint64_t hash;     /* of all above but refs and source_path */
};

/* Same descriptor: a warm worker of one serves the other. source_path does not count. */
bool xf_function_is_equal(const extfn_function *a, const extfn_function *b);

/* The checks of a call in the contract's words: EXTFN_EARITY, EXTFN_ETYPE. `got` is a type's text
 * or what else stood there. */
EXTFN_MUST_CHECK extfn_status xf_function_fail_arity(const extfn_function *function, size_t got,
                                                     extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_function_fail_type(const extfn_function *function, size_t position,
                                                    const char *got, extfn_error *err);

/* See extfn_function_from_json; reads one object where the reader stands. */
EXTFN_MUST_CHECK extfn_status xf_function_read_json(xf_json *scan,
                                                    EXTFN_OWN extfn_function **ret_function,
                                                    extfn_error *err);

#endif
