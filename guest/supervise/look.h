/* What the supervisor sees of the call under way: the host's header, which is trusted, and the
 * status bytes, which are not. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_SUPERVISE_LOOK_H
#define XF_GUEST_SUPERVISE_LOOK_H

#include "guest/supervise/clock.h"

typedef struct xf_maps {
    const xf_request_header *request;
    const volatile unsigned char *statuses; /* XF_ROWS_LIMIT of them */
    int fds[2];                             /* of the two, for what they have */
    int reply_peek;
    uint32_t call;
    uint32_t rows_done; /* of that call */
} xf_maps;

/* Maps both read-only, and keeps the descriptors. 0 or an errno. */
int xf_maps_open(int request_fd, int reply_fd, int reply_peek, xf_maps *ret_maps);

/* Number of leading rows that are done; the first `from` are known to be. */
uint32_t xf_rows_done(const volatile unsigned char *statuses, uint32_t from, uint32_t row_count);

/* Bytes of memory that both have, whether or not a process has them mapped. */
uint64_t xf_maps_memory(const xf_maps *maps);

xf_observation xf_maps_look(xf_maps *maps, uint64_t now_us);

uint64_t xf_now_us(void);

#endif
