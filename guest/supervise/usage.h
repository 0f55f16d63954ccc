/* What processes used. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_SUPERVISE_USAGE_H
#define XF_GUEST_SUPERVISE_USAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

typedef struct xf_usage {
    uint64_t peak_memory; /* bytes, the largest resident set of one process */
    uint64_t own_memory;  /* bytes, of all together, now: what is neither a file's nor shared */
    uint64_t cpu_us;      /* of all together */
} xf_usage;

/* False: /proc is missing, or of another pid namespace, which numbers processes differently. */
bool xf_proc_is_ours(void);

void xf_usage_add(xf_usage *usage, const struct rusage *one);

/* What `pid` and its living descendants used until now; as far as /proc tells. A pid namespace
 * that is killed takes this with it: its init waits for nobody. */
xf_usage xf_usage_of_tree(pid_t pid);

/* The oldest child of `pid` that /proc tells of, or 0. */
pid_t xf_first_child(pid_t pid);

#endif
