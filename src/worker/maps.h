/* The two shared maps of a worker, host side. SPDX-License-Identifier: MIT */
#ifndef XF_WORKER_MAPS_H
#define XF_WORKER_MAPS_H

#include "base/error.h"
#include "wire/wire.h"

/* Starts as XF_MAPS_CLOSED. */
typedef struct xf_maps {
    int request_fd;
    int reply_fd;
    char *request; /* XF_MAP_SIZE bytes; only the host writes */
    char *reply;   /* XF_MAP_SIZE bytes; the worker writes: copy first, then check */
} xf_maps;

#define XF_MAPS_CLOSED                                                                             \
    {                                                                                              \
        .request_fd = -1, .reply_fd = -1                                                           \
    }

EXTFN_MUST_CHECK extfn_status xf_maps_open(xf_maps *maps, extfn_error *err);

/* After the worker has its descriptors. */
void xf_maps_close_fds(xf_maps *maps);
void xf_maps_close(xf_maps *maps);

xf_request_header *xf_maps_header(const xf_maps *maps);

#endif
