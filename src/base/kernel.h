/* What the kernel says of this machine, asked outside of the sandbox. SPDX-License-Identifier: MIT
 */
#ifndef XF_BASE_KERNEL_H
#define XF_BASE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/* 0: there is no Landlock. */
int xf_kernel_landlock_version(void);

/* Which network the calling thread is in; 0: the kernel has no such number (before 5.14). */
uint64_t xf_kernel_network(void);

/* Bytes of memory that the machine has; 0: unknown. */
uint64_t xf_kernel_memory(void);

/* How many processors this process may use; at least 1. */
size_t xf_kernel_processors(void);

#endif
