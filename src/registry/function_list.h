/* Functions by their names, for one thread. SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_FUNCTION_LIST_H
#define XF_REGISTRY_FUNCTION_LIST_H

#include "base/error.h"

#include <extfn/function.h>

/* Most functions of one registry. */
#define XF_REGISTRY_LIMIT 100000

/* In the order of their names, no name twice. Starts as `= {0}`. */
typedef struct xf_function_list {
    extfn_function **items; /* each with a reference */
    size_t count;
    size_t capacity;
} xf_function_list;

void xf_function_list_clear(xf_function_list *list);

/* The function of that name, borrowed, or NULL. */
extfn_function *xf_function_list_get(const xf_function_list *list, const char *name);

/* Makes room for `count` more. EXTFN_EINVAL over XF_REGISTRY_LIMIT. */
EXTFN_MUST_CHECK extfn_status xf_function_list_reserve(xf_function_list *list, size_t count,
                                                       extfn_error *err);

/* Puts the function in, for which there is room, and takes its reference; returns the one that it
 * replaces or NULL. */
extfn_function *xf_function_list_put(xf_function_list *list, EXTFN_OWN extfn_function *function);

/* Takes the function of that name out, if there is one. */
void xf_function_list_remove(xf_function_list *list, const char *name);

#endif
