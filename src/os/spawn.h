/* The one place where the library starts a process. SPDX-License-Identifier: MIT */
#ifndef XF_OS_SPAWN_H
#define XF_OS_SPAWN_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Starts `path` with the environment `env` (NULL-terminated), descriptors fds[i] as i in the child
 * and no other, default signal dispositions, an empty signal mask, its own session, working
 * directory /. fds[i] must be >= 3 here. The child's pid must be waited for with xf_child_reap.
 * `path` may be /proc/self/fd/I, a program that is fds[I]. Works from any thread and whatever the
 * host did with its descriptors 0 to 2, SIGCHLD and SIGPIPE.
 */
EXTFN_MUST_CHECK extfn_status xf_spawn(const char *path, char *const argv[], char *const env[],
                                       const int *fds, size_t fd_count, pid_t *ret_pid,
                                       extfn_error *err);

/* Waits until the child is gone; a child that the kernel or the host reaped already is fine. */
void xf_child_reap(pid_t pid);

/* Runs a program (an operator's interpreter, asked about itself), captures at most `limit` bytes of
 * its stdout, kills it at the deadline. EXTFN_EIO with what went wrong: also for an exit status
 * other than 0. */
EXTFN_MUST_CHECK extfn_status xf_ask(const char *const argv[], const char *const env[],
                                     int64_t timeout_us, size_t limit, char **ret_stdout,
                                     extfn_error *err);

#endif
