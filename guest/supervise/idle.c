#include "guest/supervise/idle.h"

bool xf_idle_is_due(xf_idle *idle, bool is_idle, uint32_t call, uint64_t now_us)
{
    if (!is_idle) {
        *idle = (xf_idle){0};
        return false;
    }
    if (!idle->is_idle || idle->call != call)
        *idle = (xf_idle){.is_idle = true, .call = call, .since_us = now_us};
    return now_us >= idle->next_us;
}

bool xf_idle_judge(xf_idle *idle, uint64_t now_us, uint64_t cpu_us)
{
    uint64_t elapsed_us = now_us - idle->since_us;
    idle->next_us = now_us + (elapsed_us < XF_IDLE_LONGEST_US ? elapsed_us : XF_IDLE_LONGEST_US);
    if (!idle->is_measured) {
        idle->is_measured = true;
        idle->cpu_us = cpu_us;
        return false;
    }
    uint64_t used_us = cpu_us > idle->cpu_us ? cpu_us - idle->cpu_us : 0;
    return used_us >= XF_IDLE_CPU_US && used_us >= elapsed_us / XF_IDLE_SHARE;
}

uint64_t xf_idle_settle(uint64_t limit, uint64_t kept)
{
    uint64_t eighth = limit / 8;
    uint64_t calm = kept < 3 * eighth ? kept : 3 * eighth;
    return calm + (eighth > XF_IDLE_GROWTH ? eighth : XF_IDLE_GROWTH);
}

bool xf_idle_is_over(const xf_idle *idle, uint64_t now_us, uint64_t limit_us)
{
    return limit_us > 0 && idle->is_idle && now_us - idle->since_us >= limit_us;
}
