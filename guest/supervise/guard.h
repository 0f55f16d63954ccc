/* Two supervisors, so that the end of one is seen by the other: it then ends all that was started.
 * The kernel alone would not: what bubblewrap clones waits for ever for a bubblewrap that was
 * killed early, and a daemon asks for no parent. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_SUPERVISE_GUARD_H
#define XF_GUEST_SUPERVISE_GUARD_H

#include "guest/supervise/group.h"

#include <stdbool.h>
#include <stdint.h>

/* Forks, before anything is started. The child returns 0: it goes on as the supervisor, a subreaper
 * too, and ends everything when ret_guard_fd, a pidfd of its parent, becomes readable. The parent
 * returns only what kept it from forking, an errno: else it waits for the child, and ends and
 * reports what one that was killed has left. */
int xf_guard_start(uint32_t file_count, bool owns_uid, xf_group *group, int *ret_guard_fd);

#endif
