/* Monotonic time, and that of the processor. SPDX-License-Identifier: MIT */
#ifndef XF_BASE_CLOCK_H
#define XF_BASE_CLOCK_H

#include <stdint.h>

/* Microseconds since an arbitrary start; never goes back. */
int64_t xf_clock_now(void);

/* Microseconds of processor time that the calling thread has used. */
int64_t xf_clock_of_thread(void);

/* Of two such times the one that comes first; negative: never. */
int64_t xf_clock_earlier(int64_t a_us, int64_t b_us);

/* The timeout of a poll that waits until then: rounded up, -1 for never. */
int xf_clock_wait_ms(int64_t until_us);

#endif
