/* Waiting for children, and killing until there is none. The supervisor is a child subreaper: what
 * loses its parent in the sandbox becomes its child. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_SUPERVISE_REAP_H
#define XF_GUEST_SUPERVISE_REAP_H

#include "guest/supervise/usage.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct xf_reaper {
    pid_t command; /* the child that the supervisor itself started */
    int signal_fd; /* of SIGCHLD */
    bool owns_uid; /* nobody else runs as this uid */
    bool is_command_gone;
    int command_status;
    xf_usage usage; /* of all that was reaped */
} xf_reaper;

/* Opens signal_fd; SIGCHLD must be blocked. 0 or an errno. */
int xf_reaper_open(xf_reaper *reaper);

/* Reaps all that is dead now. False when no child is left. */
bool xf_reap(xf_reaper *reaper);

/* Returns when no child is left. */
void xf_kill_all(xf_reaper *reaper);

/* The ways to find children, each true when it worked: each child found gets `number`. For tests
 * public. */
bool xf_signal_listed_children(int number);
bool xf_signal_scanned_children(int number);

#endif
