/* Monotonic time. SPDX-License-Identifier: MIT */
#ifndef XF_BASE_CLOCK_H
#define XF_BASE_CLOCK_H

#include <stdint.h>

/* Microseconds since an arbitrary start; never goes back. */
int64_t xf_clock_now(void);

#endif
