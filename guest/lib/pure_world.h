/* What a row of Pure may change outside of its values, and how it is given back before the next.
 * SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_LIB_PURE_WORLD_H
#define XF_GUEST_LIB_PURE_WORLD_H

#include <stdbool.h>
#include <sys/types.h>

#define XF_PURE_PATH_SIZE 4096

typedef struct xf_pure_world {
    char **environment; /* owned copies, ended by NULL; NULL: nothing was remembered */
    char directory[XF_PURE_PATH_SIZE];
    mode_t umask;
    bool has_own_tmp; /* /tmp is this worker's, and was empty */
} xf_pure_world;

/* False when memory is out. */
bool xf_pure_world_remember(bool has_own_tmp, xf_pure_world *ret_world);

void xf_pure_world_restore(const xf_pure_world *world);

#endif
