/* The libraries that every interpreter shares, as this machine lays them out: merged /usr or not,
 * with a folder for each architecture or without. Looked at here, so that all that follows is pure.
 * SPDX-License-Identifier: MIT */
#ifndef XF_SANDBOX_SYSTEM_H
#define XF_SANDBOX_SYSTEM_H

#include "sandbox/runtime.h"

typedef struct xf_system {
    xf_strings binds;    /* host paths, seen read-only at the same place */
    xf_strings symlinks; /* pairs: target, place */
} xf_system;

void xf_system_clear(xf_system *system);

/* `root` stands before every path that is looked at; "" but in tests. */
EXTFN_MUST_CHECK extfn_status xf_system_look(const char *root, xf_system *ret_system,
                                             extfn_error *err);

#endif
