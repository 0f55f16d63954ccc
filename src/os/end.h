/* The end of a child that may stand still: stopped by a signal, or by a debugger. It is waited for
 * by its pidfd, and up to a limit; what is killed is told by a pidfd too, since a host may have
 * children reaped as soon as they end. SPDX-License-Identifier: MIT */
#ifndef XF_OS_END_H
#define XF_OS_END_H

#include "base/error.h"

#include <stdint.h>
#include <sys/types.h>

/* A pidfd of a child just started; -1 if it has ended and was reaped already. A child that cannot
 * be had in hand so is killed. */
EXTFN_MUST_CHECK extfn_status xf_child_hold(pid_t pid, int *ret_pidfd, extfn_error *err);

void xf_child_kill(int pidfd);

/* Kills what the child itself has started, and lets it go on if it was stopped by a signal, so that
 * it sees that. */
void xf_child_kill_children(pid_t pid, int pidfd);

/* Waits until the child has ended, kills it after `limit_us`, and reaps it; one that a debugger
 * keeps is left to that. */
void xf_child_end(pid_t pid, int pidfd, int64_t limit_us);

#endif
