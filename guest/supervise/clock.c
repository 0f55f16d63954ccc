#include "guest/supervise/clock.h"

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
    uint64_t raised = value < low ? low : value;
    return raised < high ? raised : high;
}

/* `tick_us` is how often to look for progress; the end of the limit is met to the millisecond. */
static xf_verdict judge_span(uint64_t elapsed_us, uint64_t limit_us, uint64_t tick_us,
                             uint32_t cause)
{
    if (limit_us == 0)
        return (xf_verdict){.wait_us = XF_TICK_LONGEST_US};
    if (elapsed_us >= limit_us)
        return (xf_verdict){.cause = cause};
    uint64_t left_us = limit_us - elapsed_us;
    uint64_t wait_us = left_us < tick_us ? left_us : tick_us;
    return (xf_verdict){.wait_us = clamp(wait_us, XF_TICK_SHORTEST_US, XF_TICK_LONGEST_US)};
}

static uint64_t start_limit(const xf_clock *clock)
{
    bool is_spare = !clock->was_set_up && clock->spare_limit_us > 0;
    return is_spare ? clock->spare_limit_us : clock->start_limit_us;
}

xf_verdict xf_clock_judge(xf_clock *clock, const xf_observation *seen)
{
    bool is_running = seen->is_active && !seen->is_answered;
    bool is_new = is_running && (!clock->was_running || seen->call != clock->call);
    bool has_moved = is_running && seen->rows_done != clock->rows_done;
    if (is_new || has_moved)
        clock->mark_us = seen->now_us;
    else if (seen->is_awaited)
        clock->mark_us += seen->now_us - clock->last_us;
    clock->last_us = seen->now_us;
    clock->was_running = is_running;
    clock->was_set_up |= seen->is_active || seen->is_setup || seen->call != 0;
    clock->call = seen->call;
    clock->rows_done = seen->rows_done;

    uint64_t elapsed_us = seen->now_us - clock->mark_us;
    if (!clock->was_set_up || (is_running && seen->is_setup)) {
        return judge_span(elapsed_us, start_limit(clock), XF_TICK_LONGEST_US,
                          XF_CAUSE_START_TIMEOUT);
    }
    if (!is_running)
        return (xf_verdict){.wait_us = XF_TICK_LONGEST_US};
    uint64_t tick_us = clamp(seen->limit_us / 8, XF_TICK_SHORTEST_US, XF_TICK_LONGEST_US);
    return judge_span(elapsed_us, seen->limit_us, tick_us, XF_CAUSE_ROW_TIMEOUT);
}
