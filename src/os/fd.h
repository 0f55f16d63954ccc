/* Descriptors: close-on-exec from birth, never 0, 1 or 2 (a host may run with those closed).
 * SPDX-License-Identifier: MIT */
#ifndef XF_OS_FD_H
#define XF_OS_FD_H

#include "base/error.h"

#include <stddef.h>
#include <sys/types.h>

/* ret_read and ret_write; blocking. */
EXTFN_MUST_CHECK extfn_status xf_pipe_open(int *ret_read, int *ret_write, extfn_error *err);

/* A memfd of `size` zero bytes. Map it first, seal it then. */
EXTFN_MUST_CHECK extfn_status xf_memfd_open(const char *name, size_t size, int *ret_fd,
                                            extfn_error *err);

/* A memfd with these bytes, its offset at 0, sealed against every change. */
EXTFN_MUST_CHECK extfn_status xf_memfd_with(const char *name, const void *data, size_t size,
                                            int *ret_fd, extfn_error *err);

/* SHRINK, GROW, SEAL, and with `is_write_sealed` FUTURE_WRITE: maps made before stay writable. */
EXTFN_MUST_CHECK extfn_status xf_memfd_seal(int fd, bool is_write_sealed, extfn_error *err);

EXTFN_MUST_CHECK extfn_status xf_fd_set_nonblocking(int fd, extfn_error *err);

/* Readable once the process has ended. */
EXTFN_MUST_CHECK extfn_status xf_pidfd_open(pid_t pid, int *ret_fd, extfn_error *err);

/* A pidfd of this process. */
EXTFN_MUST_CHECK extfn_status xf_pidfd_open_self(int *ret_fd, extfn_error *err);

#endif
