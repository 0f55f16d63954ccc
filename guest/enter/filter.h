/* The sandbox's first system call filter, as extfn-enter sees it: bubblewrap has put it in force,
 * or there is none and it is loaded here. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_ENTER_FILTER_H
#define XF_GUEST_ENTER_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

#define XF_FILTER_LIMIT 4096 /* instructions; the kernel takes no more */

typedef struct xf_filter {
    struct sock_filter code[XF_FILTER_LIMIT];
    size_t count;
} xf_filter;

/* From the start of a file. */
bool xf_filter_read(int fd, xf_filter *ret_filter);

/* For good, and for all that the process starts. Needs PR_SET_NO_NEW_PRIVS. */
bool xf_filter_load(xf_filter *filter);

/* Whether it is in force, whoever loaded it: a harmless call is answered as only the filter does.
 */
bool xf_filter_is_in_force(void);

/* Whether it also ends those who try what no program here has a use for: a child does. */
bool xf_filter_kills(void);

#endif
