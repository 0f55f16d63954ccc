/* The table of rules to instructions for the kernel, for one architecture. Runs while extfn is
 * built: libseccomp says which number a name has, the rest is here, because libseccomp's own rules
 * know no "else" for a call. SPDX-License-Identifier: MIT */
#ifndef XF_SANDBOX_FILTER_COMPILE_H
#define XF_SANDBOX_FILTER_COMPILE_H

#include "sandbox/filter/rules.h"

#include <linux/filter.h>

#define XF_FILTER_NUMBERS 1024 /* no architecture has a call past it */
#define XF_FILTER_CODE_LIMIT 1024

#define XF_FILTER_UNKNOWN (-1) /* nobody has heard of such a call */

typedef struct xf_filter_target {
    uint32_t audit_arch;
    /* The number of a call there; XF_FILTER_UNKNOWN, or less than that: another architecture's. */
    int (*number)(const struct xf_filter_target *target, const char *name);
} xf_filter_target;

typedef struct xf_filter_code {
    struct sock_filter items[XF_FILTER_CODE_LIMIT];
    size_t count;
} xf_filter_code;

/* NULL, or what is wrong with the table; then `ret_problem_name` is the call that it is about. */
const char *xf_filter_compile(const xf_filter_target *target, xf_filter_code *ret_code,
                              char ret_problem_name[64]);

#endif
