/* The command line of extfn-enter: `KEY=N[,KEY=N...] FIRSTFD [SHOWN...] -- PROGRAM ARGS...`.
 * SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_ENTER_OPTIONS_H
#define XF_GUEST_ENTER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XF_ENTER_LIMITS 10U /* keys that name a limit */

typedef struct xf_enter_limit {
    const char *name;
    int resource;
    bool is_set;
    uint64_t value; /* in the kernel's unit */
} xf_enter_limit;

typedef struct xf_enter_options {
    xf_enter_limit limits[XF_ENTER_LIMITS];
    bool is_trusted;  /* key `trusted`: sets no limit and gives up no privilege */
    bool is_filtered; /* key `filter`: the first system call filter is in force, or it is refused */
    int filter_fd;    /* it is loaded from here; 0: it is in force already */
    uint64_t network; /* key `net`: the one that it must not be in; 0: not known */
    int first_fd;     /* this and all above are closed, except XF_FD_STATUS */
    char **shown;     /* paths that the program may read, NULL-terminated; none: all */
    char **program;   /* argv, NULL-terminated */
} xf_enter_options;

/* Points into argv, and cuts it where `--` is. NULL, or what is wrong. */
const char *xf_enter_options_read(int argc, char **argv, xf_enter_options *ret_options);

/* True when that is the last path component. */
bool xf_is_called(const char *argv0, const char *name);

#endif
