/* Scope-bound cleanup and ownership transfer. SPDX-License-Identifier: MIT */
#ifndef XF_BASE_AUTO_H
#define XF_BASE_AUTO_H

#include "base/alloc.h"

#include <unistd.h>

#define XF_AUTO(cleanup_fn) __attribute__((cleanup(cleanup_fn)))
#define XF_AUTO_FREE XF_AUTO(xf_cleanup_free)
#define XF_AUTO_CLOSE XF_AUTO(xf_cleanup_close)

static inline void xf_cleanup_free(void *slot)
{
    xf_free(*(void **)slot);
}

static inline void xf_cleanup_close(const int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
}

/* Yields the pointer and clears the slot, so its cleanup does nothing. */
#define XF_STEAL(slot)                                                                             \
    __extension__({                                                                                \
        __typeof__(slot) stolen_ = (slot);                                                         \
        (slot) = NULL;                                                                             \
        stolen_;                                                                                   \
    })

#endif
