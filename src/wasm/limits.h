/* How long a call may take. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_LIMITS_H
#define XF_WASM_LIMITS_H

#include <stdint.h>

typedef struct xf_wasm_limits {
    int64_t row_us;   /* of one row */
    int64_t until_us; /* end of the whole call, as xf_clock_now; negative: none */
    int64_t batch_us; /* its length, for messages */
    int cancel_fd;    /* or -1 */
} xf_wasm_limits;

#endif
