/* Inside of the registry. SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_REGISTRY_H
#define XF_REGISTRY_REGISTRY_H

#include "base/error.h"

#include <extfn/registry.h>

/* extfn_registry_get that fails with EXTFN_ENOTFOUND in the contract's words, or with what is wrong
 * now with the file that the function came from; `registry` may be NULL. */
EXTFN_MUST_CHECK extfn_status xf_registry_find(const extfn_registry *registry, const char *name,
                                               EXTFN_OWN extfn_function **ret_function,
                                               extfn_error *err);

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
