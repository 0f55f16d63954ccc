#include "base/clock.h"

#include <time.h>

int64_t xf_clock_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t xf_clock_of_thread(void)
{
    struct timespec used;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

int64_t xf_clock_earlier(int64_t a_us, int64_t b_us)
{
    if (a_us < 0 || b_us < 0)
        return a_us < 0 ? b_us : a_us;
    return a_us < b_us ? a_us : b_us;
}

int xf_clock_wait_ms(int64_t until_us)
{
    if (until_us < 0)
        return -1;
    int64_t wait_us = until_us - xf_clock_now();
    if (wait_us <= 0)
        return 0;
    return wait_us > INT32_MAX * INT64_C(1000) ? INT32_MAX : (int)((wait_us + 999) / 1000);
}
