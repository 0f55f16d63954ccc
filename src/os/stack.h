/* How much stack the calling thread has left, and a thread that has enough.
 * SPDX-License-Identifier: MIT */
#ifndef XF_OS_STACK_H
#define XF_OS_STACK_H

#include "base/error.h"

#include <stddef.h>

/* Bytes below the caller's frame; 0 where they cannot be known: a host may have given us a stack
 * that is not the thread's. */
size_t xf_stack_left(void);

/* Calls `run` on a thread that has a stack of `size` bytes and receives no signals, and waits for
 * its end. */
EXTFN_MUST_CHECK extfn_status xf_stack_call(size_t size, void (*run)(void *context), void *context,
                                            extfn_error *err);

/* Starts a thread that receives no signals: those are the host's. */
EXTFN_MUST_CHECK extfn_status xf_thread_start(size_t stack_size, void *(*run)(void *context),
                                              void *context, unsigned long *ret_thread,
                                              extfn_error *err);

#endif
