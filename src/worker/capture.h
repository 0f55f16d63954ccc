/* What a body prints on one stream: drained without blocking, kept up to a limit, counted beyond.
 * SPDX-License-Identifier: MIT */
#ifndef XF_WORKER_CAPTURE_H
#define XF_WORKER_CAPTURE_H

#include "base/buf.h"

#include <stdint.h>

/* Starts as `= {.fd = -1}`. */
typedef struct xf_capture {
    int fd;         /* read end, non-blocking; -1 once it has ended */
    xf_buf text;    /* the first XF_OUTPUT_LIMIT bytes since the last reset */
    uint64_t total; /* bytes since then */
} xf_capture;

/* Reads what is there. Out of memory loses text, never the count. */
void xf_capture_drain(xf_capture *capture);

/* Forgets what was read. */
void xf_capture_reset(xf_capture *capture);
void xf_capture_close(xf_capture *capture);

#endif
