/* The line of a function file that declares it: `# extfn: f(x: number) -> number`.
 * SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_DECLARATION_H
#define XF_REGISTRY_DECLARATION_H

#include "base/error.h"

#include <extfn/function.h>

/* Starts as `= {0}`. */
typedef struct xf_declaration {
    char *text; /* owned: the line, cut into the names */
    const char *name;
    size_t arg_count;
    extfn_type arg_types[EXTFN_ARGUMENT_LIMIT];
    const char *arg_names[EXTFN_ARGUMENT_LIMIT];
    extfn_type return_type;
    bool is_impure;
    bool is_vectorized;
} xf_declaration;

void xf_declaration_clear(xf_declaration *declaration);

/* Finds the first line of `text` that is a comment (`leader` begins it) starting with `extfn:`, and
 * reads it. ret_line is its number from 1, also on failure; 1 where there is none. */
EXTFN_MUST_CHECK extfn_status xf_declaration_read(const char *text, size_t size, const char *leader,
                                                  xf_declaration *ret_declaration,
                                                  int64_t *ret_line, extfn_error *err);

#endif
