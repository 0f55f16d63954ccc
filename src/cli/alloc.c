/* Checked allocation. SPDX-License-Identifier: MIT */
#include "cli/alloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static atomic_long fail_after = -1;

void cli_alloc_fail_after(long n)
{
    atomic_store(&fail_after, n);
}

static bool must_fail(void)
{
    long left = atomic_load(&fail_after);
    if (left < 0)
        return false;
    if (left > 0)
        atomic_store(&fail_after, left - 1);
    return left == 0;
}

void *cli_realloc_array(void *ptr, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total) || must_fail())
        return NULL;
    return realloc(ptr, total ? total : 1);
}

void cli_free(void *ptr)
{
    free(ptr);
}
