/* Checked allocation. Every allocation of the library goes through here. SPDX-License-Identifier:
 * MIT */
#ifndef XF_BASE_ALLOC_H
#define XF_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* Each returns NULL on failure or when the size overflows. */
void *xf_alloc(size_t size);
void *xf_realloc_array(void *ptr, size_t count, size_t size);
char *xf_strdup(const char *text);
void xf_free(void *ptr);

static inline bool xf_size_add(size_t a, size_t b, size_t *ret_sum)
{
    return !__builtin_add_overflow(a, b, ret_sum);
}

static inline bool xf_size_mul(size_t a, size_t b, size_t *ret_product)
{
    return !__builtin_mul_overflow(a, b, ret_product);
}

/* Test hook: the nth following allocation fails; a negative n disables. */
void xf_alloc_fail_after(long n);

#endif
