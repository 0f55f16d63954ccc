/* The program's one door to the allocator. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_ALLOC_H
#define XF_CLI_ALLOC_H

#include <stddef.h>

/* NULL on failure or when the size overflows. */
void *cli_realloc_array(void *ptr, size_t count, size_t size);
void cli_free(void *ptr);

/* Test hook: the nth following allocation fails; a negative n disables. */
void cli_alloc_fail_after(long n);

#endif
