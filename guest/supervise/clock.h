/* Whether a worker has used up its time: what was seen of it in, a verdict out. Knows no clock and
 * no process. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_SUPERVISE_CLOCK_H
#define XF_GUEST_SUPERVISE_CLOCK_H

#include "wire/wire.h"

#include <stdbool.h>

#define XF_TICK_LONGEST_US 250000U
#define XF_TICK_SHORTEST_US 1000U

typedef struct xf_observation {
    uint64_t now_us;
    uint64_t limit_us; /* of a row */
    uint32_t call;
    uint32_t rows_done; /* leading rows that have a status */
    bool is_active;     /* a frame waits for its answer */
    bool is_setup;
    bool is_awaited;  /* it waits until the host has read what it printed */
    bool is_answered; /* an answer lies in the pipe: the host is slow, not the worker */
} xf_observation;

/* Starts as `= {.start_limit_us = ..., .mark_us = now}`. A limit of 0 is none. */
typedef struct xf_clock {
    uint64_t start_limit_us;
    uint64_t spare_limit_us; /* before anything was asked; 0: that is part of the start */
    uint64_t mark_us;        /* when what runs now began, at the latest */
    uint64_t last_us;        /* of the look before */
    uint32_t call;
    uint32_t rows_done;
    bool was_running;
    bool was_set_up; /* a frame was seen */
} xf_clock;

typedef struct xf_verdict {
    uint32_t cause;   /* 0, XF_CAUSE_ROW_TIMEOUT or XF_CAUSE_START_TIMEOUT */
    uint64_t wait_us; /* look again no later */
} xf_verdict;

xf_verdict xf_clock_judge(xf_clock *clock, const xf_observation *seen);

#endif
