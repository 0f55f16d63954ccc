/* The libraries that every interpreter shares, as this machine lays them out: merged /usr or not,
 * with a folder for each architecture or without. Looked at here, so that all that follows is pure.
 * SPDX-License-Identifier: MIT */
#ifndef XF_SANDBOX_HOST_LIBRARIES_H
#define XF_SANDBOX_HOST_LIBRARIES_H

#include "sandbox/runtime.h"

typedef struct xf_host_libraries {
    xf_strings binds;    /* host paths, seen read-only at the same place */
    xf_strings symlinks; /* pairs: target, place */
} xf_host_libraries;

void xf_host_libraries_clear(xf_host_libraries *libraries);

/* `root` stands before every path that is looked at; "" but in tests. */
EXTFN_MUST_CHECK extfn_status xf_host_libraries_look(const char *root,
                                                     xf_host_libraries *ret_libraries,
                                                     extfn_error *err);

#endif
