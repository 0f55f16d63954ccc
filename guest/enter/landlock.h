/* Landlock under bubblewrap's view, as far as this kernel has it: what the view should already
 * forbid is forbidden once more. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_ENTER_LANDLOCK_H
#define XF_GUEST_ENTER_LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct xf_landlock {
    int fd;          /* the rules, or -1: this kernel has no Landlock */
    uint32_t layers; /* enum xf_layer */
} xf_landlock;

/* Rules for a program that may read `shown` (ends with NULL; what is not there is left out), write
 * in /tmp, and execute `program`, its loader and `stub`. With an empty `shown` files are not
 * restricted. False: there is Landlock, but the rules could not be made; see errno. */
bool xf_landlock_open(char *const shown[], const char *program, const char *stub,
                      xf_landlock *ret_landlock);

/* For the calling thread and all that it starts. Needs PR_SET_NO_NEW_PRIVS. */
bool xf_landlock_enforce(const xf_landlock *landlock);

#endif
