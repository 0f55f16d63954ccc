/* What extfn-enter says over its pipe: one xf_enter_ready, later one xf_enter_exit.
 * SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_SUPERVISE_STATUS_H
#define XF_GUEST_SUPERVISE_STATUS_H

#include "wire/wire.h"

#include <stdbool.h>

/* Starts as `= {0}`. */
typedef struct xf_status {
    unsigned char bytes[sizeof(xf_enter_ready) + sizeof(xf_enter_exit)];
    size_t size;
    bool is_broken; /* what came is not what extfn-enter says */
} xf_status;

void xf_status_add(xf_status *status, const unsigned char *bytes, size_t size);
bool xf_status_is_ready(const xf_status *status);
uint32_t xf_status_layers(const xf_status *status); /* 0 as long as it is not ready */

/* False as long as it has not come. */
bool xf_status_get_exit(const xf_status *status, xf_enter_exit *ret_exit);

/* The wait status of a command that ended without an xf_enter_exit: bubblewrap tells extfn-enter's
 * death by a signal as exit status 128 + signal, and extfn-enter itself never exits like that. */
int xf_status_unwrap(int wait_status);

#endif
