/* What every program around the sandbox needs to know about its own process. Each function can run
 * between fork and exec. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_COMMON_PROCESS_H
#define XF_GUEST_COMMON_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* From here on only SIGKILL and SIGSTOP reach the process. */
void xf_signals_block(void);

/* The state that a program expects at its start: nothing blocked, nothing ignored. */
void xf_signals_reset(void);

/* Default actions without unblocking: an ignored SIGCHLD, inherited, would hide dead children. */
void xf_signals_default(void);

/* Closes `first` and all above it. */
void xf_close_from(int first);
/* The same a descriptor at a time, up to the limit of open files: for kernels before 5.9. */
void xf_close_each_from(int first);

/* Close-on-exec for the descriptors first to last. */
void xf_close_on_exec(int first, int last);

/* The calling process is killed when `parent`, its parent, ends. */
void xf_die_with(pid_t parent);

/* True when all of it was written. */
bool xf_write(int fd, const void *data, size_t size);

#endif
