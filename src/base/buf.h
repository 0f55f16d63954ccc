/* Growable byte buffer with a hard limit. SPDX-License-Identifier: MIT */
#ifndef XF_BASE_BUF_H
#define XF_BASE_BUF_H

#include "base/error.h"

#include <stddef.h>

/* Starts as `= {.limit = n}`. */
typedef struct xf_buf {
    char *data;
    size_t size;
    size_t capacity;
    size_t limit; /* appends beyond it fail; 0 means no limit */
} xf_buf;

void xf_buf_clear(xf_buf *buf);

/* Makes room for `capacity` bytes in all, so that appending up to there cannot fail. */
EXTFN_MUST_CHECK extfn_status xf_buf_reserve(xf_buf *buf, size_t capacity, extfn_error *err);

/* The buffer is unchanged on failure. */
EXTFN_MUST_CHECK extfn_status xf_buf_append(xf_buf *buf, const void *data, size_t size,
                                            extfn_error *err);

/* Appends text of any bytes: each that is part of no character becomes U+FFFD. */
EXTFN_MUST_CHECK extfn_status xf_buf_append_utf8(xf_buf *buf, const char *data, size_t size,
                                                 extfn_error *err);

#endif
