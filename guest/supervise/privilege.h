/* The end of root's rights. A supervisor of root takes its new uid in two steps: xf_uid_drop leaves
 * the way back, by which it can make a cgroup as root; xf_privilege_settle closes it. One right may
 * outlast that: to enter and remove the cgroup in a folder of root's. It rests but for the one call
 * that needs it, and what is executed does not inherit it. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_SUPERVISE_PRIVILEGE_H
#define XF_GUEST_SUPERVISE_PRIVILEGE_H

#include <stdbool.h>

/* As root again, and back. */
void xf_privilege_be_root(bool is_root);

/* For good. 0 or an errno, which forbids going on. */
int xf_privilege_settle(bool is_right_kept);

/* The right that was kept: in force from now on, or at rest. */
void xf_privilege_use(bool is_used);

#endif
