/* Inside of the registry. SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_REGISTRY_H
#define XF_REGISTRY_REGISTRY_H

#include "base/error.h"

#include <extfn/registry.h>

/* Most functions of one registry. */
#define XF_REGISTRY_LIMIT 100000

/* extfn_registry_get that fails with EXTFN_ENOTFOUND in the contract's words, or with what is wrong
 * now with the file that the function came from; `registry` may be NULL. */
EXTFN_MUST_CHECK extfn_status xf_registry_find(const extfn_registry *registry, const char *name,
                                               EXTFN_OWN extfn_function **ret_function,
                                               extfn_error *err);

/* Functions in the order of their names, no name twice. Starts as `= {0}`. */
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

typedef struct xf_library xf_library;

/* Registers the functions of a library at once, or none, and takes the library, for refreshing. */
EXTFN_MUST_CHECK extfn_status xf_registry_add_library(extfn_registry *registry, xf_library *library,
                                                      extfn_error *err);

/* Between these two the libraries stay what they are. */
void xf_registry_lock_libraries(extfn_registry *registry);
void xf_registry_unlock_libraries(extfn_registry *registry);

/* With the libraries locked: the library at `position`, or NULL past the end. */
const xf_library *xf_registry_library(const extfn_registry *registry, size_t position);

/* With the libraries locked: what changed against the library at `position` takes effect; swaps the
 * two. */
EXTFN_MUST_CHECK extfn_status xf_registry_replace_library(extfn_registry *registry, size_t position,
                                                          xf_library *library, extfn_error *err);

#endif
