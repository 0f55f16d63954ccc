/* Where the supervisors make a cgroup (version 2) for each worker. SPDX-License-Identifier: MIT */
#ifndef XF_SANDBOX_GROUP_H
#define XF_SANDBOX_GROUP_H

#include <stdint.h>

#define XF_GROUP_PATH 1024

/* A folder in which this process may make cgroups, the best that there is: one whose cgroups bound
 * memory, within the calling process's own before one beside it. Beside it only where that folder
 * was handed over to us (a user's session, `Delegate=` of a service): else the workers would leave
 * bounds that the operator set for the host. Empty: there is none. Looks below `root`, which is
 * empty but in tests. */
void xf_group_find(const char *root, char ret_place[XF_GROUP_PATH]);

/* The least bound on memory, in bytes, of this process's cgroup and those that it lies in, as far
 * as they are shown; 0: there is none. `root` as above. */
uint64_t xf_group_memory(const char *root);

#endif
