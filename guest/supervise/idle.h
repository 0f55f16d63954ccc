/* Whether a worker computes while no call is under way: a body that left a thread behind, or that
 * answered before it was done. Knows no clock and no process. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_SUPERVISE_IDLE_H
#define XF_GUEST_SUPERVISE_IDLE_H

#include <stdbool.h>
#include <stdint.h>

#define XF_IDLE_LONGEST_US 4000000U /* between two looks at what it used */
#define XF_IDLE_CPU_US 100000U      /* so much in one idle time is no accident */
#define XF_IDLE_SHARE 20U           /* nor is one part in so many of that time */

#define XF_IDLE_GROWTH (UINT64_C(64) << 20) /* bytes, or an eighth of what it may have at work */

/* Starts as `= {0}`. */
typedef struct xf_idle {
    bool is_idle;
    bool is_measured; /* cpu_us is what it had used when it became idle, about */
    uint32_t call;    /* the last, whose end began this idle time */
    uint64_t since_us;
    uint64_t next_us; /* not to be measured before */
    uint64_t cpu_us;
} xf_idle;

/* Is told of every look, and by the number of the last call of what came between two of them. True:
 * measure what the worker used until now, for xf_idle_judge. */
bool xf_idle_is_due(xf_idle *idle, bool is_idle, uint32_t call, uint64_t now_us);

/* Whether it has had nothing to do for `limit_us` (0: no limit). */
bool xf_idle_is_over(const xf_idle *idle, uint64_t now_us, uint64_t limit_us);

/* Bytes that a worker which has `kept` of its `limit` when it first has nothing to do may have from
 * then on in such times: what its rows leave beyond that is better given back. */
uint64_t xf_idle_settle(uint64_t limit, uint64_t kept);

/* True: it has to be ended. */
bool xf_idle_judge(xf_idle *idle, uint64_t now_us, uint64_t cpu_us);

#endif
